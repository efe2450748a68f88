// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/**
 * How many event numbers are durably reserved at a time. After a crash, `step.restarted` covers the unused
 * ones.
 */
export const RESERVED_EVENT_NUMBERS = 4_096
/** Interval of pings: proxies close a response after minutes of silence. */
export const SSE_PING_MS = 15_000
/**
 * Maximum life of a stream. It limits how long a revoked key can keep reading, and lets deploys drain
 * (contract: 15 minutes).
 */
export const SSE_LIFE_MS = 15 * 60_000
/** A reader that is this far behind is disconnected; it may resume from the log. */
export const SSE_QUEUE_MAX_BYTES = 1_048_576
/**
 * Maximum number of queued bytes of all readers in an isolate, which has 128 MB of memory. Beyond it, the
 * reader that is furthest behind is disconnected.
 */
export const READERS_QUEUED_MAX_BYTES = 67_108_864
/**
 * Maximum size of a chunk that is sent to a reader: a few hundred frames, and small enough to be copied in no
 * noticeable time.
 */
export const SSE_CHUNK_MAX_BYTES = 65_536
export const SSE_READERS_MAX = 256
/**
 * Maximum number of streams of one key in an isolate: five times the number of runs that a key may have in
 * progress (RUNS_PER_KEY). Each stream takes about 100 KB and, on a local server, two file descriptors; a
 * server without free descriptors stops working.
 */
export const SSE_KEY_STREAMS_MAX = 1_000
export const SSE_RETRY_MS = 2_000
/** Page size for reading the event log: how many rows are in memory at the same time. */
export const EVENT_PAGE_ROWS = 100
