// The limits of this folder: unit in the name, then reason and source.

/** The searchable part of each message: a page of text, so that no message costs more than a few rows. */
export const THREAD_TEXT_BYTES = 4_096
/**
 * Limits on the message texts in one report: this many, or the first to exceed this many bytes. Indexing them takes a
 * few milliseconds of the workspace's object, which everybody uses.
 */
export const THREAD_TEXTS_A_REPORT = 20
export const THREAD_REPORT_TEXT_BYTES = 16_384
/**
 * The pause between two reports with texts: at least this long, and this many times the duration of the last report. So
 * others are served however many threads report texts, and an idle workspace gets a hundred texts within a second.
 */
export const REPORT_REST_MS = 50
export const REPORT_REST_TIMES = 10
export const REPORT_REST_CAP_MS = 10_000
/**
 * Where a page of history ends, in bytes of messages or characters of receipts: with its copies it takes about 10 MiB
 * of an isolate's 128, and so do four pages at once. A usual page of 20 messages has 40 KB.
 */
export const HISTORY_PAGE_BYTES = 2_097_152
