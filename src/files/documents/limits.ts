// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of a document. They are in memory once, together with the unpacked content, in an isolate of 128 MB. */
export const DOCUMENT_MAX_BYTES = 33_554_432
/** The isolate's CPU time for one request, where the platform counts it. It ends an endless loop. */
export const DOCUMENT_CPU_MS = 25_000
/**
 * The time after which the supervisor may stop a read. Parsers yield every few milliseconds, so a late read that blocks
 * other requests hangs. A late read that yields is left alone.
 */
export const DOCUMENT_DEADLINE_MS = 10_000
/** How long the caller waits: for the reads before it in the queue, and for its own. */
export const DOCUMENT_WAIT_MS = 45_000
/**
 * Documents of one kind that are read at once, each in its own isolate, and one for each key, so that a slow document
 * delays only its sender. A caller waits for minutes before it gets an error. The timeout of its call does not run
 * meanwhile.
 */
export const DOCUMENT_QUEUE = { bytes: 2, reserve: 1, timeoutMs: 300_000, heldMs: 60_000 }
