// Limits of this folder. Names end in the unit; a name without a unit is a count.

/** Number of objects that are read at the same time: as many as the server reads for one key. */
export const READ_CONCURRENCY = 4
/** Number of requests that a restore sends at the same time: as many as the server writes at once. */
export const WRITE_CONCURRENCY = 8
/** How often an object is read again because it changed meanwhile. A thread with a run changes every few seconds. */
export const READ_ATTEMPTS = 5
/** How often progress is shown in a terminal, and elsewhere. */
export const PROGRESS_TERMINAL_MS = 200
export const PROGRESS_LOG_MS = 10_000
