// Derives the media type of a file from its extension. The type is for display only: no code may decide by it. The
// table contains the types that teams usually exchange; all other files are application/octet-stream.

const UNKNOWN_TYPE = 'application/octet-stream'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

/** Maps each media type to its file extensions, separated by spaces. */
const EXTENSIONS_BY_TYPE: Readonly<Record<string, string>> = {
  'text/plain': 'txt text log conf cfg ini env diff patch',
  'text/markdown': 'md markdown mkd',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/html': 'html htm',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs',
  'text/typescript': 'ts mts cts tsx',
  'text/x-python': 'py',
  'text/x-sh': 'sh bash',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'text/vtt': 'vtt',
  'text/yaml': 'yaml yml',
  'application/toml': 'toml',
  'application/json': 'json map',
  'application/x-ndjson': 'jsonl ndjson',
  'application/geo+json': 'geojson',
  'text/xml': 'xml xsd xsl',
  'application/xhtml+xml': 'xhtml xht',
  'application/sql': 'sql',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/wasm': 'wasm',
  'application/vnd.sqlite3': 'sqlite sqlite3 db',
  'application/vnd.apache.parquet': 'parquet',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  [`${OPEN_XML}.wordprocessingml.document`]: 'docx',
  [`${OPEN_XML}.spreadsheetml.sheet`]: 'xlsx',
  [`${OPEN_XML}.presentationml.presentation`]: 'pptx',
  [`${OPEN_DOCUMENT}.text`]: 'odt',
  [`${OPEN_DOCUMENT}.spreadsheet`]: 'ods',
  [`${OPEN_DOCUMENT}.presentation`]: 'odp',
  'message/rfc822': 'eml',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/heic': 'heic',
  'image/x-icon': 'ico',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg opus',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4 m4v',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
}

const TYPE_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS_BY_TYPE).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type]),
  ),
)

/** The media type for the path's extension, or `application/octet-stream` if it is unknown. */
export function mediaTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1] ?? ''
  return TYPE_BY_EXTENSION.get(extension.toLowerCase()) ?? UNKNOWN_TYPE
}

/** The usual extension of a media type, without the dot, or `bin` if it is unknown. */
export function usualExtension(type: string): string {
  const extensions = Object.hasOwn(EXTENSIONS_BY_TYPE, type) ? EXTENSIONS_BY_TYPE[type] : undefined
  return extensions?.split(' ')[0] ?? 'bin'
}
