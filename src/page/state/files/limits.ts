// Limits of this folder.

/** Bytes below which an upload is not aborted: it is sent before the browser reports progress. */
export const STOP_BYTES = 1_048_576
/** Rows, columns and cells of a table that are drawn, and characters of one cell: drawn without a visible delay. */
export const TABLE_ROWS = 1_000
export const TABLE_COLUMNS = 60
export const TABLE_CELLS = 20_000
export const CELL_CHARS = 500
