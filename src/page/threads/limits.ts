// Limits of this folder.

/** Maximum length of a thread's title on the server (TITLE_MAX_CHARS in src/api/fields/limits.ts). */
export const THREAD_TITLE_MAX_CHARS = 200
/**
 * Number of rows of the thread list that are rendered at first, so that a list of thousands of threads opens
 * as quickly as a short one.
 */
export const INITIAL_ROWS = 100
