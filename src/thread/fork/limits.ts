// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Maximum size of a page of rows that is copied between objects: an RPC may carry 32 MiB (Workers limits). */
export const FORK_PAGE_MAX_BYTES = 4_194_304
/** Number of large files that one fork copies in parallel: a Worker may have six connections open (Workers limits). */
export const FORK_PARALLEL_COPIES_MAX = 4
/**
 * The queue for copies of large files in an isolate. `capacity` is the number of bytes copied concurrently, and
 * `reservedForOthers` the part that a key which is already copying leaves to others, so that another key's
 * largest file need not wait. Each file waits only seconds, however many forks are waiting.
 */
export const FORK_COPY_QUEUE = {
  capacity: 67_108_864,
  reservedForOthers: 33_554_432,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 30_000,
}
/**
 * The minimum number of bytes that a file counts in that queue: opening and closing a file costs as much as copying
 * several megabytes. With this minimum, a key copies at most four files at the same time.
 */
export const FORK_COPY_WEIGHT_MIN_BYTES = 8_388_608
/**
 * Number of newest copied messages that are indexed for search in a fork: with more, one request could index
 * a long thread. A search for older messages finds the source thread.
 */
export const FORK_SEARCH_MESSAGES_MAX = 100
/**
 * Time after which a fork is cleaned up if its object died. A fork still in progress is checked again after this time.
 */
export const FORK_CLEANUP_AFTER_MS = 30_000
/**
 * Timeout for one response from the source thread (a few megabytes), and for copying one file (32 MiB). Even
 * a busy thread responds in seconds. After the timeout the fork fails and may be requested again.
 */
export const FORK_CALL_TIMEOUT_MS = 30_000
