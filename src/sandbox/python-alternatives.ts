// Suggests alternatives to Python packages that the sandbox does not have. When a script runs, the runtime
// gives longer advice (python/boot/absent.py).

const NETWORK = 'no network'
const SVG = 'write an SVG'
const DATA = 'use csv, json and statistics'

const ALTERNATIVES: Readonly<Record<string, string>> = {
  numpy: 'use math, statistics and array',
  pandas: DATA,
  polars: DATA,
  pyarrow: 'convert to CSV or JSON first',
  scipy: 'use math and statistics',
  sklearn: 'use statistics',
  matplotlib: SVG,
  seaborn: SVG,
  plotly: SVG,
  PIL: 'write an SVG, or a PNG with zlib and struct',
  lxml: 'use xml.etree.ElementTree',
  defusedxml: 'use xml.etree.ElementTree',
  bs4: 'use html.parser',
  cryptography: 'use hashlib, hmac and secrets',
  pydantic: 'use dataclasses',
  orjson: 'use json',
  yaml: 'use JSON',
  openpyxl: 'use zipfile and xml.etree.ElementTree',
  docx: 'use zipfile and xml.etree.ElementTree',
  pypdf: 'read_file gives the text of a PDF',
  PyPDF2: 'read_file gives the text of a PDF',
  pdfplumber: 'read_file gives the text of a PDF',
  fitz: 'read_file gives the text of a PDF',
  dotenv: 'read os.environ',
  pytest: 'use unittest',
  click: 'use argparse',
  typer: 'use argparse',
  rich: 'use print',
  tqdm: 'use print',
  lzma: 'use gzip, bz2 or zipfile',
  ...Object.fromEntries(
    'requests httpx aiohttp urllib3 boto3 openai anthropic google websockets grpc paramiko azure'
      .split(' ')
      .map((name) => [name, NETWORK]),
  ),
}

/** Modules with native code, or whose packages require others with native code. */
const NATIVE = new Set(
  `numpy pandas polars pyarrow scipy sklearn matplotlib seaborn PIL cv2 lxml docx pptx pdfplumber fitz cryptography pydantic
orjson torch tensorflow transformers psycopg2 grpc`.split(/\s+/),
)
/** Modules that would be useless here, or are part of the standard library. */
const NOT_ADDED = new Set(
  'requests httpx aiohttp urllib3 boto3 openai anthropic google websockets paramiko azure lzma tkinter curses ssl ctypes'.split(
    ' ',
  ),
)
/** Packages whose name differs from their module's. */
const PACKAGES: Readonly<Record<string, string>> = {
  yaml: 'pyyaml',
  bs4: 'beautifulsoup4',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  attr: 'attrs',
  jwt: 'pyjwt',
  markdown_it: 'markdown-it-py',
}

export function isNative(module: string): boolean {
  return NATIVE.has(module)
}

/** The package that an operator can add for a module; null if that would not help. */
export function pythonPackageOf(module: string): string | null {
  if (NATIVE.has(module) || NOT_ADDED.has(module)) return null
  return Object.hasOwn(PACKAGES, module)
    ? (PACKAGES[module] ?? null)
    : module.toLowerCase().replaceAll('_', '-')
}

/** The alternative to a module, or null if none is known. */
export function alternativeTo(name: string): string | null {
  return Object.hasOwn(ALTERNATIVES, name) ? (ALTERNATIVES[name] ?? null) : null
}
