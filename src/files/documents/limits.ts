// Limits of this folder: unit in the name, then reason and source.

/** Size of a document. An isolate of 128 MB holds it once, together with its unpacked content. */
export const DOCUMENT_MAX_BYTES = 33_554_432
/** CPU time of the isolate for one request, on platforms that count it. It ends infinite loops. */
export const DOCUMENT_CPU_MS = 25_000
/**
 * The time after which the supervisor may stop a read that blocks other requests. Parsers yield every few milliseconds, so such a read
 * hangs. A read that takes longer but yields is not stopped.
 */
export const DOCUMENT_DEADLINE_MS = 10_000
/** How long the caller waits for the isolate to read its document. */
export const DOCUMENT_WAIT_MS = 45_000
/**
 * The queue for documents of one kind. `bytes` is the number of documents read concurrently, each in a separate isolate; each key has
 * one at a time, so that a slow document delays only its sender. A caller waits for minutes before it gets an error; the timeout of its
 * call does not run during the wait.
 */
export const DOCUMENT_QUEUE = { bytes: 2, reserve: 1, timeoutMs: 300_000, heldMs: 60_000 }
