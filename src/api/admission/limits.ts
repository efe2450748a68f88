// The numbers of this folder: unit in the name, then reason and source.

/** How long a key that went over its limit on requests is refused; the limit itself is in wrangler.toml. */
export const RATE_BLOCK_MS = 10_000
/** A message is counted this long after it was let through: counting must not stand before its answer. */
export const RATE_COUNT_DELAY_MS = 50
/**
 * First messages that are on their way at once in an isolate: each makes a database, 4 ms during which nothing else is
 * served. Eight keep it busy; 500 at once made it stand still for two seconds. Each that waits holds its body, mostly small,
 * in memory; 500 begin in ten seconds of a processor, and edges wait 100.
 */
export const ADMISSION_QUEUE = { width: 8, room: 2_000, each: 500, timeoutMs: 60_000, heldMs: 10_000 }
/**
 * A fork reads and writes all that a thread has. `each`: a page forks one at a time. Two of a key run at once, others have the
 * other places; two of a gigabyte each take a minute.
 */
export const FORK_QUEUE = {
  width: 4,
  room: 256,
  each: 8,
  timeoutMs: 30_000,
  heldMs: 120_000,
  leavesFree: true,
}
/**
 * Changes of skills and their trials: an upload of 32 MiB takes some 100 MB of an isolate's 128 until it is written, so
 * one at a time. A commit of 500 skills, or two megabytes of scripts, take some seconds; edges wait 100.
 */
export const CHANGE_QUEUE = { width: 1, room: 64, each: 20, timeoutMs: 90_000, heldMs: 30_000 }
/** Files for a commit, 8 MiB each at most; skills:publish sends six at a time. */
export const BLOB_QUEUE = { width: 8, room: 512, each: 32, timeoutMs: 30_000, heldMs: 30_000 }
/** Two versions compared: a second of work at most, and the diffs of one answer, 2 MiB, in memory. */
export const DIFF_QUEUE = { width: 1, room: 128, each: 8, timeoutMs: 30_000, heldMs: 30_000 }
/**
 * Versions packed as archives, while they are sent: a file of 8 MiB and what is read ahead in memory, seconds of a processor
 * for the largest. A key has one under way; place is held as long as its client takes what comes.
 */
export const ARCHIVE_QUEUE = {
  width: 2,
  room: 128,
  each: 8,
  timeoutMs: 60_000,
  heldMs: 60_000,
  leavesFree: true,
}
/** An answer that is made while it is sent breaks off when its client takes nothing for this long. */
export const SENT_IDLE_MS = 30_000
/** One that is taken more slowly than this, of its client's own time, gives way to keys without a place: a slow phone takes more. */
export const SENT_SLOW_BYTES_S = 65_536
export const SENT_JUDGED_MS = 5_000
/**
 * Lists of threads and of requests for approval, changes of threads and their deletion: each takes some milliseconds of the
 * workspace's one object, which every message of a new thread asks, too. So a key has two of them under way. `each`: a
 * script that deletes a hundred threads at once is served.
 */
export const WORKSPACE_QUEUE = {
  width: 4,
  room: 2_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Pages of messages and of receipts: up to HISTORY_PAGE_BYTES each, several times over while they become an answer. */
export const HISTORY_QUEUE = {
  width: 4,
  room: 2_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/**
 * Deliveries of webhooks, once their bodies are there: each is written and begins a run. Of one hook two at once. `each`: what
 * is sent at once by a sender that was away, a thousand, as many as may wait to begin (QUEUED_PER_KEY). The memory of their
 * bodies has a bound of its own.
 */
export const DELIVERY_QUEUE = {
  width: 4,
  room: 4_000,
  each: 1_024,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Files that are put or removed, once their bytes are there: each waits for the disk. `each`: a folder is sent at once. */
export const FILE_WRITE_QUEUE = {
  width: 8,
  room: 1_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Searches for threads: each takes milliseconds of the workspace's own object. */
export const FIND_QUEUE = { width: 2, room: 500, each: 8, timeoutMs: 10_000, heldMs: 10_000 }
/** Questions for skills: each takes milliseconds, the first one on a new index of 10,000 skills a fifth of a second. */
export const MATCH_QUEUE = { width: 4, room: 1_000, each: 16, timeoutMs: 30_000, heldMs: 30_000 }
