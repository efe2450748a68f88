// The numbers of this folder: unit in the name, then reason and source.

/** Event numbers promised durably at a time; after a crash `step.restarted` covers what is left of the block. */
export const SEQ_BLOCK = 4_096
/** Edges drop a silent response after minutes; readers see life well before. */
export const SSE_PING_MS = 15_000
/** Bounds how long a revoked key keeps reading and lets deploys drain (contract: 15 minutes). */
export const SSE_LIFE_MS = 15 * 60_000
/** A reader this far behind is cut off and resumes from the log. */
export const SSE_QUEUE_MAX_BYTES = 1_048_576
/** The same for all readers of an isolate together, which has 128 MB; past it whoever is the most behind is cut off. */
export const READERS_QUEUED_MAX_BYTES = 67_108_864
/** Handed over at once to whoever reads: a few hundred frames, and nothing that one would notice to be copied. */
export const SSE_CHUNK_BYTES = 65_536
export const SSE_READERS_MAX = 256
/**
 * Streams of one key that an isolate serves: five times the runs that a key may have going (RUNS_PER_KEY). Each takes some
 * 100 KB, and two of the descriptors of a local server, which ends when it has none left.
 */
export const SSE_KEY_STREAMS_MAX = 1_000
export const SSE_RETRY_MS = 2_000
/** Reading page of the event log: rows pulled into memory at once. */
export const EVENT_PAGE_ROWS = 100
