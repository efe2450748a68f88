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
  yaml: 'use JSON, or add a pure-Python yaml next to the script',
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
  sqlite3: 'use csv, json or dbm.dumb',
  lzma: 'use gzip, bz2 or zipfile',
  ...Object.fromEntries(
    'requests httpx aiohttp urllib3 boto3 openai anthropic google websockets grpc paramiko azure'
      .split(' ')
      .map((name) => [name, NETWORK]),
  ),
}

/** The alternative to a module, or null if none is known. */
export function alternativeTo(name: string): string | null {
  return Object.hasOwn(ALTERNATIVES, name) ? (ALTERNATIVES[name] ?? null) : null
}
