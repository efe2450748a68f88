// The limits of this folder: unit in the name, then reason and source.

/** Page size for rows that are copied between objects: a call may carry 32 MiB (Workers limits). */
export const FORK_PAGE_BYTES = 4_194_304
/** Large files copied at once: a Worker may have six connections open (Workers limits). */
export const FORK_COPIES = 4
/**
 * Bytes of large files that forks copy at once in an isolate. `reserve` is closed to keys that already copy, so that
 * another key's largest file need not wait. A file's turn comes within seconds, however many forks wait.
 */
export const FORK_COPY_QUEUE = { bytes: 67_108_864, reserve: 33_554_432, timeoutMs: 30_000, heldMs: 30_000 }
/**
 * The least that a file counts in that queue: opening and closing it costs as much as some megabytes. So a key copies
 * four at once.
 */
export const FORK_COPY_LEAST_BYTES = 8_388_608
/**
 * Newest copied messages by which a fork is searched: more would let one request index a whole thread. The source is
 * found by the older ones.
 */
export const FORK_MESSAGES_SEARCHED = 100
/** The latest time at which a fork whose object died is cleaned up; one still in progress is checked again then. */
export const FORK_ALARM_MS = 30_000
/**
 * Timeout for one answer of the source thread (a few megabytes), and for one file's copy (32 MiB). A busy thread
 * answers in seconds; after this the fork fails, and may be requested again.
 */
export const FORK_CALL_MS = 30_000
