// Packages with compiled parts, which cannot run in the sandbox, and what to use instead.

const DATA = 'use csv, json and statistics'
const SVG = 'write an SVG'
const OTHER = 'use the standard library'

const PYTHON: Readonly<Record<string, string>> = {
  numpy: 'use math, statistics and array',
  pandas: DATA,
  polars: DATA,
  pyarrow: 'convert to CSV or JSON first',
  scipy: 'use math and statistics',
  'scikit-learn': 'use statistics',
  matplotlib: SVG,
  seaborn: SVG,
  pillow: 'write an SVG, or a PNG with zlib and struct',
  'opencv-python': OTHER,
  lxml: 'use xml.etree.ElementTree',
  'python-docx': 'use zipfile and xml.etree.ElementTree',
  'python-pptx': 'use zipfile and xml.etree.ElementTree',
  pymupdf: 'read_file gives the text of a PDF',
  pdfplumber: 'read_file gives the text of a PDF',
  cryptography: 'use hashlib, hmac and secrets',
  pydantic: 'use dataclasses',
  orjson: 'use json',
  torch: OTHER,
  tensorflow: OTHER,
  psycopg2: OTHER,
  'psycopg2-binary': OTHER,
  grpcio: OTHER,
}
const NODE: Readonly<Record<string, string>> = {
  sharp: SVG,
  canvas: SVG,
  'better-sqlite3': 'use JSON files',
  sqlite3: 'use JSON files',
  bcrypt: 'use crypto.scryptSync',
  esbuild: 'write JavaScript or TypeScript that node runs as it is',
  puppeteer: 'use web_fetch',
  playwright: 'use web_fetch',
}

/** What to use instead of a native package, such as `use csv`; null if the package is not known as native. */
export function nativeAdvice(language: 'python' | 'node', name: string): string | null {
  const table = language === 'python' ? PYTHON : NODE
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null
}
