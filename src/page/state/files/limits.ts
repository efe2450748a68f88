// Limits of this folder.

/** Uploads smaller than this are not aborted, because they are sent before the browser reports progress. */
export const ABORTABLE_MIN_BYTES = 1_048_576
/** Maximum number of rows of a table that are shown. A table within these limits renders without a visible delay. */
export const TABLE_ROWS_MAX = 1_000
/** Maximum number of columns of a table that are shown. */
export const TABLE_COLUMNS_MAX = 60
/** Maximum number of cells of a table that are shown. */
export const TABLE_CELLS_MAX = 20_000
/** Maximum number of characters of a table cell that are shown. */
export const CELL_CHARS_MAX = 500
