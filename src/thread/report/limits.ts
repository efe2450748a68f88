// The numbers of this folder: unit in the name, then reason and source.

/** Of each message, what a search for threads finds it by: a page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_BYTES = 4_096
/** Texts of messages that a thread reports at once: a fork begins with all of its own. */
export const THREAD_TEXTS_A_REPORT = 200
