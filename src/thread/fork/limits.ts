// The numbers of this folder: unit in the name, then reason and source.

/** Rows of a thread that is forked go from object to object in pages of this size: a call takes 32 MiB (Workers limits). */
export const FORK_PAGE_BYTES = 4_194_304
/** Large files of it that are copied at once: a Worker has six connections open (Workers limits). */
export const FORK_COPIES = 4
/**
 * Bytes of large files that forks copy at once in an isolate. `reserve` stays free of keys that copy already: the largest file
 * of a key that copies nothing yet need not wait. A file's turn comes within seconds, however many forks wait.
 */
export const FORK_COPY_QUEUE = { bytes: 67_108_864, reserve: 33_554_432, timeoutMs: 30_000, heldMs: 30_000 }
/** A small file counts as this much there: opening and closing it costs as much as some megabytes. So a key copies four at once. */
export const FORK_COPY_LEAST_BYTES = 8_388_608
/**
 * Messages that a fork gets from the other thread and is searched by, the newest: more would let one request index all that a thread
 * keeps. The other thread is found by those before them.
 */
export const FORK_MESSAGES_SEARCHED = 100
/** A fork that its object died of is cleared away after this at the latest; one that goes on is looked at again then. */
export const FORK_ALARM_MS = 30_000
/**
 * How long a fork waits for one answer of the thread it is made from, and for one file's copy: a few megabytes, and 32 MiB.
 * A thread that is busy answers in seconds; after this the fork breaks off, and may be asked for again.
 */
export const FORK_CALL_MS = 30_000
