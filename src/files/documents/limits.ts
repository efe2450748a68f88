// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Size of a document. An isolate of 128 MB holds it once, together with its unpacked content. */
export const DOCUMENT_MAX_BYTES = 33_554_432
/** CPU time of the isolate for one request, on platforms that count it. It ends infinite loops. */
export const DOCUMENT_CPU_MAX_MS = 25_000
/**
 * The time after which the supervisor may stop a read that blocks other requests. Parsers yield every few milliseconds, so such a read
 * hangs. A read that takes longer but yields is not stopped.
 */
export const DOCUMENT_DEADLINE_MS = 10_000
/** How long the caller waits for the isolate to read its document. */
export const DOCUMENT_TIMEOUT_MS = 45_000
/**
 * The queue for documents of one kind. `capacity` is the number of documents read concurrently, each in a separate isolate. Each key
 * reads one document at a time, so that a slow document delays only its sender. A call waits for minutes before it fails; its timeout
 * does not run during the wait.
 */
export const DOCUMENT_QUEUE = { capacity: 2, reservedForOthers: 1, waitMaxMs: 300_000, slotIdleMaxMs: 60_000 }
