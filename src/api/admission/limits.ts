// Limits of this folder: unit in the name, then reason and source.

/** How long a key over its rate limit is refused; wrangler.toml has the limits themselves. */
export const RATE_BLOCK_MS = 10_000
/** Delay before an admitted message is counted: counting must not delay the response. */
export const RATE_COUNT_DELAY_MS = 50
/**
 * First messages processed at once in an isolate: each creates a database, which blocks the isolate for 4 ms. Eight keep it
 * busy; 500 at once blocked it for two seconds. Each waiting request holds its body, usually small; 500 start within ten seconds
 * of CPU time, and proxies wait 100.
 */
export const ADMISSION_QUEUE = { width: 8, room: 2_000, each: 500, timeoutMs: 60_000, heldMs: 10_000 }
/**
 * A fork reads and writes everything a thread has. `each`: a page forks one thread at a time. A key has at most two at once and
 * leaves the other slots to others; two forks of a gigabyte each take a minute.
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
 * A fork keeps its turn, and its response, for so many times as long as the copy took, a second at most: 25 ms become
 * 75.
 */
export const FORK_REST = { times: 2, capMs: 1_000 }
/**
 * Changes of skills and trials. An upload of 32 MiB takes about 100 MB of an isolate's 128 until it is written, so one at a
 * time. A commit of 500 skills, or two megabytes of scripts, takes some seconds; proxies wait 100.
 */
export const CHANGE_QUEUE = { width: 1, room: 64, each: 20, timeoutMs: 90_000, heldMs: 30_000 }
/** Files for a commit, at most 8 MiB each; skills:publish sends six at a time. */
export const BLOB_QUEUE = { width: 8, room: 512, each: 32, timeoutMs: 30_000, heldMs: 30_000 }
/** Comparisons: at most a second of work and 2 MiB of diffs in memory. */
export const DIFF_QUEUE = { width: 1, room: 128, each: 8, timeoutMs: 30_000, heldMs: 30_000 }
/**
 * Versions packed while they are sent: a file of 8 MiB and the read-ahead in memory, and seconds of CPU time for the largest. A
 * key has one at a time, which holds its slot until the client has received it.
 */
export const ARCHIVE_QUEUE = {
  width: 2,
  room: 128,
  each: 8,
  timeoutMs: 60_000,
  heldMs: 60_000,
  leavesFree: true,
}
/** How long a client may accept nothing before a response created while it is sent is aborted. */
export const SENT_IDLE_MS = 30_000
/**
 * The pace, measured over the client's own time, below which a response gives way to keys without a slot. A slow phone
 * is faster.
 */
export const SENT_SLOW_BYTES_S = 65_536
export const SENT_JUDGED_MS = 5_000
/**
 * Lists of threads and approval requests, and changes and deletions of threads: each takes some milliseconds of the workspace's
 * single object, which every new thread also needs. So a key has two at a time. `each`: lets a script delete a hundred threads
 * at once.
 */
export const WORKSPACE_QUEUE = {
  width: 4,
  room: 2_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Pages of messages and receipts: up to HISTORY_PAGE_BYTES each, several times over while they become a response. */
export const HISTORY_QUEUE = {
  width: 4,
  room: 2_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/**
 * Webhook deliveries, with their bodies: each is stored and starts a run. At most two at once per hook. `each`: a sender that
 * was offline may send a thousand at once, as many as may wait to start (QUEUED_PER_KEY). Their bodies have a memory limit of
 * their own.
 */
export const DELIVERY_QUEUE = {
  width: 4,
  room: 4_000,
  each: 1_024,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Files written or deleted, with their bytes: each waits for the disk. `each`: a folder is sent at once. */
export const FILE_WRITE_QUEUE = {
  width: 8,
  room: 1_000,
  each: 128,
  timeoutMs: 30_000,
  heldMs: 10_000,
  leavesFree: true,
}
/** Searches for threads: each takes milliseconds of the workspace's object. */
export const FIND_QUEUE = { width: 2, room: 500, each: 8, timeoutMs: 10_000, heldMs: 10_000 }
/** Searches for skills: each takes milliseconds, the first on a new index of 10,000 skills 200 ms. */
export const MATCH_QUEUE = { width: 4, room: 1_000, each: 16, timeoutMs: 30_000, heldMs: 30_000 }
