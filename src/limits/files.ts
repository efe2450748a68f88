// Limits of files that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of one segment of a path, as in most file systems. */
export const FILE_NAME_MAX_BYTES = 255
/** Files of up to this size are stored in a database row, which may have 2 MB; larger ones are stored in R2. */
export const FILE_INLINE_MAX_BYTES = 131_072
/** How long stored bytes that no file uses are kept: longer than an upload, or a read of a replaced file, may take. */
export const STAGED_FILE_RETENTION_MS = 3_600_000
/** How long leftover bytes of a finished upload are kept. A store that still uses them is done by then. */
export const FINISHED_UPLOAD_RETENTION_MS = 2_000
/** Uploads of unknown size are sent to R2 in parts of this size, which is R2's minimum. Each part is held in memory. */
export const UPLOAD_PART_BYTES = 5_242_880
/** How long a thread is kept that was created for an upload and never received a message. */
export const EMPTY_THREAD_RETENTION_MS = 86_400_000
/** Maximum number of columns printed of a DOCX or XLSX table. Even an empty cell takes three characters. */
export const DOCUMENT_TABLE_COLUMNS_MAX = 512
/** Maximum length of an address in a page. Servers and browsers generally support this length. */
export const HTML_ADDRESS_MAX_CHARS = 2_048
/** Maximum number of links listed for a page. Links in its article come first. */
export const HTML_LINKS_MAX = 500
