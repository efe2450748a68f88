// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * Maximum number of calls of other objects and of the store for one response. Cloudflare allows a request 1,000; the
 * others are left for the key and the queue. The report at the end of the archive then says where the next export
 * continues.
 */
export const EXPORT_CALLS_MAX = 900
/** How many threads are looked up at once. */
export const EXPORT_THREADS_PER_CALL = 100
/** How many messages, receipts or approvals an entry has at most. It is also limited in bytes, like a page of the API. */
export const EXPORT_PAGE_ITEMS = 100
/** How many files of a thread are listed at once, with about 300 bytes each. */
export const EXPORT_FILES_PER_CALL = 1_000
