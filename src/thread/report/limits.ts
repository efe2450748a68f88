// The numbers of this folder: unit in the name, then reason and source.

/** Of each message, what a search for threads finds it by: a page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_BYTES = 4_096
/** Texts of messages that a thread reports at once: a fork begins with all of its own. */
export const THREAD_TEXTS_A_REPORT = 200
/**
 * Bytes of messages, or characters of receipts, after which a page of them ends: with its copies on the way out it takes some 10 MiB
 * of an isolate's 128, as four pages at once do. A page of 20 usual messages has 40 KB.
 */
export const HISTORY_PAGE_BYTES = 2_097_152
