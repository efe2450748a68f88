// The numbers of this folder: unit in the name, then reason and source.

/** Of each message, what a search for threads finds it by: a page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_BYTES = 4_096
/**
 * Texts of messages that a thread reports at once: so many, or those with so many bytes and one more. Indexing them takes a few
 * milliseconds of an object that everybody asks.
 */
export const THREAD_TEXTS_A_REPORT = 20
export const THREAD_REPORT_TEXT_BYTES = 16_384
/**
 * Between two reports with texts a thread rests: at least so long, and so many times as long as the last one took. So others are
 * served however many threads have texts to report, and a hundred texts are reported within a second where nobody waits.
 */
export const REPORT_REST_MS = 50
export const REPORT_REST_TIMES = 10
export const REPORT_REST_CAP_MS = 10_000
/**
 * Bytes of messages, or characters of receipts, after which a page of them ends: with its copies on the way out it takes some 10 MiB
 * of an isolate's 128, as four pages at once do. A page of 20 usual messages has 40 KB.
 */
export const HISTORY_PAGE_BYTES = 2_097_152
