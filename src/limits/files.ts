// Numbers about files that several folders share: unit in the name, then reason and source.

/** Bytes of one name in a path, as in most file systems. */
export const FILE_NAME_MAX_BYTES = 255
/** Larger ones go to R2: a row of SQLite takes 2 MB, and what models and small tables write is far below this. */
export const FILE_INLINE_MAX_BYTES = 131_072
/** What no file needs goes after this: longer than any upload may take, and any reading of what was replaced. */
export const FILE_STAGED_MS = 3_600_000
/** What an upload that is over leaves behind goes after this: a store that is still busy with its bytes has let go of them. */
export const FILE_BROKEN_MS = 2_000
/**
 * Bytes whose number nobody knows before go to R2 in parts of this size, the least it takes, each gathered in memory. So
 * many are gathered or sent at once in an isolate: with what the platform copies of them that is 40 MB.
 */
export const UPLOAD_PART_BYTES = 5_242_880
/** A thread that was made for files and got no message goes after this. */
export const EMPTY_THREAD_MS = 86_400_000
/** Rows times columns of a table, in a DOCX or XLSX, that are printed: an empty cell takes three characters, too. */
export const DOCUMENT_TABLE_COLUMNS_MAX = 512
/** Addresses that servers and browsers agree on. */
export const HTML_ADDRESS_MAX_CHARS = 2_048
/** Links that a page gives in the end: those of its article come first. */
export const HTML_LINKS_MAX = 500
