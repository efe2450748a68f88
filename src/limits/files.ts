// Limits of files that several folders share: unit in the name, then reason and source.

/** Bytes of one name in a path, as in most file systems. */
export const FILE_NAME_MAX_BYTES = 255
/** Larger files go to R2: an SQLite row holds 2 MB, and what models and small tables write is far smaller. */
export const FILE_INLINE_MAX_BYTES = 131_072
/** Unused bytes are deleted after this: longer than any upload may take, and any read of a replaced file. */
export const FILE_STAGED_MS = 3_600_000
/** Remains of a finished upload are deleted after this: a store still busy with the bytes has released them by then. */
export const FILE_BROKEN_MS = 2_000
/**
 * Bytes of unknown total size go to R2 in parts of this size, R2's minimum, each buffered in memory. This many are buffered or
 * sent at once in an isolate: 40 MB with the platform's copies.
 */
export const UPLOAD_PART_BYTES = 5_242_880
/** A thread created for files that got no message is deleted after this. */
export const EMPTY_THREAD_MS = 86_400_000
/** Rows times columns of a DOCX or XLSX table that are printed: an empty cell takes three characters too. */
export const DOCUMENT_TABLE_COLUMNS_MAX = 512
/** Addresses that servers and browsers agree on. */
export const HTML_ADDRESS_MAX_CHARS = 2_048
/** Links listed for a page: those of its article first. */
export const HTML_LINKS_MAX = 500
