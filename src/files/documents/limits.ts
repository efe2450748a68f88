// The numbers of this folder: unit in the name, then reason and source.

/** A document that is read into text: it lies in memory once beside what it unpacks to, in an isolate of 128 MB. */
export const DOCUMENT_MAX_BYTES = 33_554_432
/** The isolate's processor time for one request, where the platform counts it: a spin ends here. */
export const DOCUMENT_CPU_MS = 25_000
/**
 * What is announced of the reading of one: parsers rest every few milliseconds, so one that is late and lets nobody else be
 * served hangs. One that is late and does is left alone.
 */
export const DOCUMENT_DEADLINE_MS = 10_000
/** How long the caller waits: for those before it in line, and for its own. */
export const DOCUMENT_WAIT_MS = 45_000
/**
 * Documents of one kind that are read at once, each in an isolate of its own: of one key one, so that what takes long holds up
 * nobody else. One waits for minutes before it is told so: its call's timeout does not run meanwhile.
 */
export const DOCUMENT_QUEUE = { bytes: 2, reserve: 1, timeoutMs: 300_000, heldMs: 60_000 }
