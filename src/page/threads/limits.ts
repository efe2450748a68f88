// Numbers of this folder, with unit and reason.

/** Characters of a thread's name: the server takes no more (TITLE_MAX_CHARS of src/api/fields/limits.ts). */
export const TITLE_MAX = 200
/** Lines of the list of threads that are drawn at once, so that a list of thousands costs no more than one of these. */
export const ROWS_DRAWN = 100
/** Characters before the words that a search found: about a line of the side. */
export const BEFORE_CHARS = 24
