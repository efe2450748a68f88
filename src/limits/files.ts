// Limits of files that several folders share. Each name contains the unit; comments give the reason and the source.

/** Bytes of one segment of a path, as in most file systems. */
export const FILE_NAME_MAX_BYTES = 255
/** Files of up to this size are stored in a database row, which may have 2 MB; larger ones are stored in R2. */
export const FILE_INLINE_MAX_BYTES = 131_072
/** How long unused bytes are kept: longer than any upload, and any read of a replaced file, may take. */
export const FILE_STAGED_MS = 3_600_000
/** How long the remains of a finished upload are kept. A store that is still using the bytes releases them by then. */
export const FILE_BROKEN_MS = 2_000
/** Bytes of unknown total size are sent to R2 in parts of this size, which is R2's minimum. Each is held in memory. */
export const UPLOAD_PART_BYTES = 5_242_880
/** How long a thread that was created for files but got no message is kept. */
export const EMPTY_THREAD_MS = 86_400_000
/** Columns of a DOCX or XLSX table that are printed. Even an empty cell takes three characters. */
export const DOCUMENT_TABLE_COLUMNS_MAX = 512
/** Characters of an address. Servers and browsers generally support this length. */
export const HTML_ADDRESS_MAX_CHARS = 2_048
/** Links listed for a page, those in its article first. */
export const HTML_LINKS_MAX = 500
