// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** How much of an answer an event for an endpoint contains: about 3,000 words. Receivers refuse bodies from 64 KB on. */
export const CALLBACK_ANSWER_MAX_BYTES = 16_384
/** The size of such an event above which its receipt lists no skills and tools. */
export const CALLBACK_BODY_MAX_BYTES = 65_536
/** Maximum searchable text per message: one page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_MAX_BYTES = 4_096
/**
 * Limits on the message texts in one report: the maximum number of texts, and the number of bytes after which
 * the report ends. Indexing them takes a few milliseconds of the workspace's object, which all threads share.
 */
export const REPORT_TEXTS_MAX = 20
export const REPORT_TEXTS_MAX_BYTES = 16_384
/**
 * The pause between two reports with texts: at least REPORT_PAUSE_MIN_MS, and REPORT_PAUSE_FACTOR times the duration of
 * the last report. Other requests are then served, however many threads report texts, and an idle workspace receives a
 * hundred texts within a second.
 */
export const REPORT_PAUSE_MIN_MS = 50
export const REPORT_PAUSE_FACTOR = 10
export const REPORT_PAUSE_MAX_MS = 10_000
/**
 * The size at which a page of history ends, in bytes of messages or characters of receipts. With its copies,
 * such a page takes about 10 MiB of an isolate's 128 MiB, so the isolate can hold four pages at the same time. A typical page
 * of 20 messages has 40 KB.
 */
export const HISTORY_PAGE_MAX_BYTES = 2_097_152
