// Limits of this folder.

/** Characters of a thread's title, the server's maximum (TITLE_MAX_CHARS in src/api/fields/limits.ts). */
export const TITLE_MAX = 200
/** Rows of the thread list that are drawn at first, so that a list of thousands costs no more. */
export const ROWS_DRAWN = 100
/** Characters shown before a match: about one line of the side bar. */
export const BEFORE_CHARS = 24
