// The limits of this folder: unit in the name, then reason and source.

/** Page size for rows that are copied between objects: an RPC may carry 32 MiB (Workers limits). */
export const FORK_PAGE_BYTES = 4_194_304
/** Number of large files copied in parallel: a Worker may have six connections open (Workers limits). */
export const FORK_COPIES = 4
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
 * The minimum size at which a file counts in that queue: opening and closing it costs as much as several
 * megabytes. With this minimum, a key copies at most four files at the same time.
 */
export const FORK_COPY_LEAST_BYTES = 8_388_608
/**
 * Number of newest copied messages that are indexed for search in a fork: with more, one request could index
 * a long thread. A search for older messages finds the source thread.
 */
export const FORK_MESSAGES_SEARCHED = 100
/**
 * When a fork is cleaned up if its object died. A fork still in progress is checked again after this time.
 */
export const FORK_ALARM_MS = 30_000
/**
 * Timeout for one response from the source thread (a few megabytes), and for copying one file (32 MiB). Even
 * a busy thread responds in seconds. After the timeout the fork fails and may be requested again.
 */
export const FORK_CALL_MS = 30_000
