// Limits of npm start, with unit and reason.

/** How long a new `npm start` waits for one whose npm was just killed: that one notices within half a second. */
export const START_HANDOVER_MS = 3_000
/** How often health checks run, and an overdue answer is checked. */
export const HEALTH_POLL_MS = 500
/** Own time of a server that owes an answer: so long while it computes (a commit of 500 skills takes seconds) … */
export const HEALTH_BUSY_SILENCE_MS = 20_000
/** … and this long while it does nothing: it will not recover. */
export const HEALTH_IDLE_SILENCE_MS = 3_000
/** Share of its own time between two checks that a computing process runs; a hung one stays below 1 %. */
export const HEALTH_BUSY_SHARE = 0.1
/** A check that comes this late was delayed by the checking process: the time between does not count. */
export const HEALTH_LATE_MS = 2_000
/** How late an announced call may be in workerd's own time before its end is reported … */
export const CALL_GRACE_MS = 500
/** … and how late if workerd waited for a processor meanwhile: with one more second for the restart, 5 s are kept. */
export const CALL_STARVED_MAX_MS = 3_000
/** Own time without a sign of life after which a late call is blamed: normal load delays /healthz by 0.6 s at most. */
export const CALL_SILENCE_MS = 1_500
/** A call this late, while workerd answers, is waiting for something, or its end was not reported. */
export const CALL_LATE_KEPT_MS = 30_000
/**
 * Memory of workerd at which it is restarted: its engine can hold 4 GB for all isolates together. Shells and what they
 * leave behind stay far below this (docs/benchmarks/soak.md).
 */
export const WORKERD_MEMORY_MB = 3_000
/** How long running calls into isolates then have to end: most take less, and a full engine lasts about that long. */
export const MEMORY_DRAIN_MS = 10_000
/** How long a stopped call is not tried again: longer than any run and its recoveries. */
export const STOPPED_CALL_MS = 4 * 3_600_000
/** Remembered names of stopped calls; each costs a restart, so there are few. */
export const STOPPED_CALLS_MAX = 1_000
/** Characters of a call's name in the terminal. */
export const CALL_KEY_SHOWN_CHARS = 100
/** Timeout of one request of `npm start` to its own Worker; a busy one is retried. */
export const REGISTER_TIMEOUT_MS = 2_000
/** Silence of a server process on its first start: each built skill and each pushed batch counts as activity. */
export const START_DEADLINE_MS = 60_000
/** The same for a restart, which finds everything in place: about a second, a few on a busy machine. */
export const RESTART_DEADLINE_MS = 15_000
/** The runtime restarts itself in less than a second; after this the whole server process is replaced. */
export const RECOVER_DEADLINE_MS = 2_500
/** A thousand unfinished runs are read and continued in a few seconds. */
export const WAKE_TIMEOUT_MS = 60_000
export const STOP_DEADLINE_MS = 3_000
/** Waits between failed starts: they double from the first up to the maximum, without end. */
export const RESTART_BACKOFF_MS = 250
export const RESTART_BACKOFF_CAP_MS = 30_000
/** Server processes that may end without a message before one ever answered: more are no accident. */
export const START_ENDS_MAX = 5
/** A killed workerd breaks its users a moment before its end is known. */
export const WORKERD_GONE_MS = 500
/** Editors write a file in several steps; still far below the promised second. */
export const WATCH_DEBOUNCE_MS = 100
/** File watchers miss changes on some file systems: a scan of sizes and times, for a limited number of files. */
export const RESCAN_MS = 2_000
export const RESCAN_MAX_FILES = 20_000
/** Threads with writes in the last minute before the end are woken, too: their run may not be recorded yet. */
export const WAKE_CHANGED_MS = 60_000
