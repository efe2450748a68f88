// Limits of npm start.

/**
 * How long a new `npm start` waits for an earlier one whose npm was killed; that one notices within half a
 * second.
 */
export const START_HANDOVER_MS = 3_000
/** Interval of health checks. */
export const HEALTH_POLL_MS = 500
/**
 * How long a server that computes may owe a response, in its own time; a commit of 500 skills takes seconds.
 */
export const HEALTH_BUSY_SILENCE_MS = 20_000
/** How long a server that does nothing may owe a response, in its own time; it will not recover. */
export const HEALTH_IDLE_SILENCE_MS = 3_000
/**
 * A process that runs for at least this share of the time between two checks is computing; a hung one uses
 * under 1 %.
 */
export const HEALTH_BUSY_SHARE = 0.1
/**
 * If a check is this late, the checking process itself was delayed, and the time since the last check is
 * ignored.
 */
export const HEALTH_LATE_MS = 2_000
/** How late the end of an announced call may be, in workerd's own time. */
export const CALL_GRACE_MS = 500
/**
 * How late it may be if workerd had to wait for a processor; with a second for the restart, the total stays
 * below 5 s.
 */
export const CALL_STARVED_MAX_MS = 3_000
/**
 * A late call is stopped if the server did not respond for this long; normal load delays /healthz by at most
 * 0.6 s.
 */
export const CALL_SILENCE_MS = 1_500
/**
 * If workerd responds, a call that is this late is forgotten: it waits for something, or its end was not
 * reported.
 */
export const CALL_LATE_KEPT_MS = 30_000
/**
 * Memory of workerd at which it is restarted: its engine can hold 4 GB for all isolates together. Shells and
 * what they leave behind stay far below this (docs/benchmarks/soak.md).
 */
export const WORKERD_MEMORY_MB = 3_000
/**
 * How long running calls may continue before that restart; most take less, and the memory lasts about that
 * long.
 */
export const MEMORY_DRAIN_MS = 10_000
/** How long a stopped call is refused; this is longer than any run and its recoveries. */
export const STOPPED_CALL_MS = 4 * 3_600_000
/** Maximum number of stopped calls to remember. Each costs a restart, so there are few. */
export const STOPPED_CALLS_MAX = 1_000
/** Number of characters of a call's name that are shown in the terminal. */
export const CALL_KEY_SHOWN_CHARS = 100
/** Timeout of one request of `npm start` to its own Worker; a busy one is retried. */
export const REGISTER_TIMEOUT_MS = 2_000
/**
 * Maximum silence of a server process at its first start; each built skill and each pushed batch ends a
 * silence.
 */
export const START_DEADLINE_MS = 60_000
/** Maximum silence at a restart, which has less to do; it takes a second, or a few on a busy machine. */
export const RESTART_DEADLINE_MS = 15_000
/**
 * The server process is replaced if it has not restarted workerd by then; that usually takes less than a
 * second.
 */
export const RECOVER_DEADLINE_MS = 2_500
/** Timeout of the request that continues unfinished runs; a thousand runs take a few seconds. */
export const WAKE_TIMEOUT_MS = 60_000
export const STOP_DEADLINE_MS = 3_000
/** Wait after the first failed start; it doubles with each failure, up to the maximum. */
export const RESTART_BACKOFF_MS = 250
export const RESTART_BACKOFF_CAP_MS = 30_000
/**
 * How often the server process may end without a message before its first response; more often is no
 * accident.
 */
export const START_ENDS_MAX = 5
/**
 * When the server process fails, how long it waits for the news that workerd was killed, which is then the
 * cause.
 */
export const WORKERD_GONE_MS = 500
/**
 * Changes are collected for this long, because editors write a file in several steps; a second is promised.
 */
export const WATCH_DEBOUNCE_MS = 100
/**
 * Interval of scans for changed files, and their maximum number, because watchers miss changes on some file
 * systems.
 */
export const RESCAN_MS = 2_000
export const RESCAN_MAX_FILES = 20_000
/**
 * Threads written within this time before the end are woken as well, because their run may not be recorded
 * yet.
 */
export const WAKE_CHANGED_MS = 60_000
