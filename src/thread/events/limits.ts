// The limits of this folder: unit in the name, then reason and source.

/** Event numbers reserved durably at a time; after a crash `step.restarted` covers the unused rest. */
export const SEQ_BLOCK = 4_096
/** Proxies close a silent response after minutes; a ping arrives well before. */
export const SSE_PING_MS = 15_000
/** Limits how long a revoked key keeps reading, and lets deploys drain (contract: 15 minutes). */
export const SSE_LIFE_MS = 15 * 60_000
/** A reader this far behind is disconnected and resumes from the log. */
export const SSE_QUEUE_MAX_BYTES = 1_048_576
/**
 * The same for all readers of an isolate, which has 128 MB of memory; over it the reader that is furthest behind is
 * disconnected.
 */
export const READERS_QUEUED_MAX_BYTES = 67_108_864
/** Sent to a reader in one chunk: a few hundred frames, and small enough to copy in no noticeable time. */
export const SSE_CHUNK_BYTES = 65_536
export const SSE_READERS_MAX = 256
/**
 * Streams of one key that an isolate serves: five times the runs that a key may have in progress (RUNS_PER_KEY). Each
 * takes about 100 KB, and two file descriptors of a local server, which stops when it has none left.
 */
export const SSE_KEY_STREAMS_MAX = 1_000
export const SSE_RETRY_MS = 2_000
/** Page size for reading the event log: rows in memory at once. */
export const EVENT_PAGE_ROWS = 100
