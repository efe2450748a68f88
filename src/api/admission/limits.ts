// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** How long a key that exceeded its rate limit is refused. The limits themselves are in wrangler.toml. */
export const RATE_BLOCK_MS = 10_000
/** Delay before an admitted request is counted, so that counting does not delay the response. */
export const RATE_COUNT_DELAY_MS = 50
/**
 * The queue for first messages. Each creates a database, which blocks the isolate for 4 ms. Eight concurrent messages keep it busy;
 * 500 blocked it for two seconds. Each waiting request holds its body, which is usually small. 500 requests start within ten seconds
 * of CPU time, and proxies wait 100 seconds.
 */
export const ADMISSION_QUEUE = {
  concurrency: 8,
  waitingMax: 2_000,
  requestsMaxPerKey: 500,
  waitMaxMs: 60_000,
  slotIdleMaxMs: 10_000,
}
/**
 * The queue for forks, each of which reads and writes everything in a thread. `requestsMaxPerKey` is enough because a page forks one
 * thread at a time. A key holds at most two slots and leaves the others free. Two concurrent forks of a gigabyte each take a minute.
 */
export const FORK_QUEUE = {
  concurrency: 4,
  waitingMax: 256,
  requestsMaxPerKey: 8,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 120_000,
  leavesSlotsFree: true,
}
/**
 * How long a fork keeps its slot, and delays its response, after the copy: `factor` times the duration of the copy, but at most
 * `maxMs`. A copy of 25 ms takes 75 ms in total.
 */
export const FORK_COOLDOWN = { factor: 2, maxMs: 1_000 }
/**
 * The queue for changes and trials of skills. An upload of 32 MiB uses about 100 MB of an isolate's 128 MB until it is written, so
 * only one runs at a time. A commit of 500 skills, or of two megabytes of scripts, takes a few seconds; proxies wait 100 seconds.
 */
export const CHANGE_QUEUE = {
  concurrency: 1,
  waitingMax: 64,
  requestsMaxPerKey: 20,
  waitMaxMs: 90_000,
  slotIdleMaxMs: 30_000,
}
/** The queue for files of a commit, at most 8 MiB each. skills:publish sends six at a time. */
export const BLOB_QUEUE = {
  concurrency: 8,
  waitingMax: 512,
  requestsMaxPerKey: 32,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 30_000,
}
/** The queue for comparisons of skill versions. Each takes at most one second of work and 2 MiB of memory for diffs. */
export const DIFF_QUEUE = {
  concurrency: 1,
  waitingMax: 128,
  requestsMaxPerKey: 8,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 30_000,
}
/**
 * The queue for skill versions that are packed while they are sent. Each holds a file of up to 8 MiB and the read-ahead in memory,
 * and the largest take seconds of CPU time. A key downloads one version at a time, which holds its slot until the client has
 * received the response.
 */
export const ARCHIVE_QUEUE = {
  concurrency: 2,
  waitingMax: 128,
  requestsMaxPerKey: 8,
  waitMaxMs: 60_000,
  slotIdleMaxMs: 60_000,
  leavesSlotsFree: true,
}
/** How long a client may accept no data before a response that is created while it is sent is aborted. */
export const RESPONSE_IDLE_MAX_MS = 30_000
/**
 * The speed below which a response loses its slot to a key that has no slot. Even a slow phone is faster. Only the time that the
 * client takes to accept data is counted.
 */
export const RESPONSE_MIN_BYTES_PER_S = 65_536
/** How long a client must have taken to accept data before its speed is judged. */
export const RESPONSE_SPEED_CHECK_AFTER_MS = 5_000
/**
 * The queue for lists of threads and approval requests, and for changes and deletions of threads. Each takes a few milliseconds of the
 * workspace's single object, which every new thread needs too, so a key has two slots at a time. `requestsMaxPerKey` lets a script
 * delete a hundred threads concurrently.
 */
export const WORKSPACE_QUEUE = {
  concurrency: 4,
  waitingMax: 2_000,
  requestsMaxPerKey: 128,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 10_000,
  leavesSlotsFree: true,
}
/** The queue for pages of messages and receipts. Each takes several times HISTORY_PAGE_MAX_BYTES while it is converted to a response. */
export const HISTORY_QUEUE = {
  concurrency: 4,
  waitingMax: 2_000,
  requestsMaxPerKey: 128,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 10_000,
  leavesSlotsFree: true,
}
/**
 * The queue for webhook deliveries, each of which is stored and starts a run. A hook has at most half of the slots.
 * `requestsMaxPerKey` lets a sender that was offline send a thousand deliveries concurrently, which is also the number of runs that
 * may wait to start (QUEUED_PER_KEY). The memory for the bodies is limited separately.
 */
export const DELIVERY_QUEUE = {
  concurrency: 8,
  waitingMax: 4_000,
  requestsMaxPerKey: 1_024,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 10_000,
  leavesSlotsFree: true,
}
/**
 * Deliveries of a hook that wait are recorded by one call of its object: 1,000 that arrived at once cost 2.9 ms of processor time
 * each, and 4.9 ms in calls of their own. A call leaves the object to others after some tens of milliseconds, and its bytes are far
 * below the 32 MiB of a call between objects.
 */
export const DELIVERY_BATCH = {
  itemsMax: 64,
  bytesMax: 4_194_304,
  retryAfterMs: 5_000,
  // Longer than a live request waits for its turn.
  waitMaxMs: DELIVERY_QUEUE.waitMaxMs + 5_000,
  // A thousand deliveries at once have this many bytes if each has 60 KB. An isolate has 128 MB.
  waitingMaxBytes: 67_108_864,
}
/**
 * The queue for writing and deleting files, which waits for the disk. `requestsMaxPerKey` lets a client send the files of a folder
 * concurrently.
 */
export const FILE_WRITE_QUEUE = {
  concurrency: 8,
  waitingMax: 1_000,
  requestsMaxPerKey: 128,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 10_000,
  leavesSlotsFree: true,
}
/** The queue for thread searches, each of which takes milliseconds of the workspace's object. */
export const FIND_QUEUE = {
  concurrency: 2,
  waitingMax: 500,
  requestsMaxPerKey: 8,
  waitMaxMs: 10_000,
  slotIdleMaxMs: 10_000,
}
/** The queue for skill searches. Each takes milliseconds; the first search in a new index of 10,000 skills takes 200 ms. */
export const MATCH_QUEUE = {
  concurrency: 4,
  waitingMax: 1_000,
  requestsMaxPerKey: 16,
  waitMaxMs: 30_000,
  slotIdleMaxMs: 30_000,
}
