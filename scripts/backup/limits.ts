// Limits of this folder. Names end in the unit; a name without a unit is a count.

/** Number of objects that are read concurrently: the number that the server reads for one key. */
export const READ_CONCURRENCY = 4
/** Number of requests that a restore sends concurrently: the number that the server writes concurrently. */
export const WRITE_CONCURRENCY = 8
/**
 * Number of times that an object is read again because it changed while being read. A thread with a run changes every
 * few seconds.
 */
export const READ_ATTEMPTS = 5
/** Interval at which progress is shown in a terminal, and elsewhere. */
export const PROGRESS_TERMINAL_MS = 200
export const PROGRESS_LOG_MS = 10_000
