// Numbers of this folder, with unit and reason.

/** Bytes of a file below which its upload is not stopped in the middle: they leave faster than a browser tells of it. */
export const STOP_BYTES = 1_048_576
/** Rows, columns and cells of a table that the panel draws, and characters of one cell: so many are drawn in a blink. */
export const TABLE_ROWS = 1_000
export const TABLE_COLUMNS = 60
export const TABLE_CELLS = 20_000
export const CELL_CHARS = 500
