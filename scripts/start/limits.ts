// Limits of npm start.

/** How long a new `npm start` waits for an earlier one whose npm was killed, which it notices within half a second. */
export const START_HANDOVER_MS = 3_000
/** How long it waits if the earlier one does not respond: it is stopping, which takes seconds on a busy machine. */
export const START_STOPPING_MAX_MS = 15_000
/** Interval between health checks. */
export const HEALTH_POLL_MS = 500
/** How long a computing server may be silent. A commit of 500 skills takes seconds. */
export const HEALTH_BUSY_SILENCE_MS = 20_000
/** How long an idle server may be silent. It will not recover by itself. */
export const HEALTH_IDLE_SILENCE_MS = 3_000
/** A process that uses at least this fraction of the time between two checks is computing. A hung one uses under 1 %. */
export const HEALTH_BUSY_SHARE = 0.1
/** If a check is this late, the checking process was itself delayed, and the time since the last check is ignored. */
export const HEALTH_LATE_MS = 2_000
/** How late the end of an announced call may be, without the time for which workerd waited for a processor. */
export const CALL_GRACE_MS = 500
/** How late it may be in total. With a second for the restart, a hang lasts less than 5 s. */
export const CALL_STARVED_MAX_MS = 3_000
/** A late call is stopped if the server did not respond for this long. Normal load delays /healthz by at most 0.6 s. */
export const CALL_SILENCE_MS = 1_500
/** If workerd responds, a call that is this late is forgotten, because it only waits or its end was not reported. */
export const LATE_CALL_FORGET_MS = 30_000
/**
 * Memory use at which workerd is restarted. Its engine can use 4 GB for all isolates together. Shells and their leftovers
 * use far less (docs/benchmarks/soak.md).
 */
export const WORKERD_MEMORY_MB = 3_000
/** How long running calls may delay that restart. Most end sooner, and memory could run out after about this time. */
export const MEMORY_RESTART_DELAY_MS = 10_000
/** How long a stopped call is refused. No run takes longer, even with its recoveries. */
export const STOPPED_CALL_MS = 4 * 3_600_000
/** Maximum number of stopped calls that are remembered. There are few, because each causes a restart. */
export const STOPPED_CALLS_MAX = 1_000
/** Maximum length of a call's key in the terminal; the rest is cut off. */
export const SHOWN_CALL_KEY_MAX_CHARS = 100
/** Timeout of one request from `npm start` to its own Worker, which is retried if the Worker is busy. */
export const REGISTER_TIMEOUT_MS = 2_000
/** Maximum silence of a server process at its first start. Each built skill and each pushed batch ends a silence. */
export const START_DEADLINE_MS = 60_000
/** Maximum silence at a restart, which takes a second, or a few seconds on a busy machine. */
export const RESTART_DEADLINE_MS = 15_000
/** The longest of these limits, which double with each failed start: the machine may be so busy that a start takes minutes. */
export const SLOW_START_DEADLINE_MS = 240_000
/** The server process is replaced if it does not restart workerd within this time. It usually takes under a second. */
export const RECOVER_DEADLINE_MS = 2_500
/** Timeout of the request that continues unfinished runs. A thousand runs take a few seconds. */
export const WAKE_TIMEOUT_MS = 60_000
/** How long a stop may take before all processes are killed. */
export const STOP_DEADLINE_MS = 3_000
/** Wait after the first failed start. It doubles with each failure, up to the maximum. */
export const RESTART_BACKOFF_MS = 250
export const RESTART_BACKOFF_MAX_MS = 30_000
/** How often the server process may end without a message before its first response. After that, `npm start` gives up. */
export const START_ENDS_MAX = 5
/** How long a failing server process waits to learn whether workerd was killed, which is then the cause. */
export const WORKERD_GONE_MS = 500
/** Changes are collected for this long, because editors write a file in several steps. Edits are live within a second. */
export const WATCH_DEBOUNCE_MS = 100
/** Interval between scans for changed files. Watchers miss changes on some file systems. */
export const RESCAN_MS = 2_000
/** Maximum number of files in one scan. */
export const RESCAN_FILES_MAX = 20_000
/** Threads with files that changed this recently are woken too, because their run may not be recorded yet. */
export const WAKE_WRITTEN_WITHIN_MS = 60_000
/** How often, and after which pauses in ms, a start tries to use the port of an ended process again: 5 s in all. */
export const PORT_TRIES = 20
export const PORT_PAUSE_MS = 250
