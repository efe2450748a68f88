// Limits of runs that several folders share. Each name contains the unit; comments give the reason and the source.

/** Default limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_STEPS = 25
export const RUN_TOKENS = 1_000_000
export const RUN_USD = 2
export const RUN_TOOL_CALLS = 100
export const RUN_WALL_S = 600
/** Restarts after which a run that crashes its object is stopped. Progress does not reset the count. */
export const RUN_RECOVERIES = 10
/** Consecutive failed model calls that may be retried within one step. */
export const STEP_RETRIES = 4
/** Interval of the alarm that watches an unfinished run. Without one, objects are evicted after 70–140 s. */
export const WATCHDOG_MS = 30_000
/** Characters of content in one row; longer content is split. A row may have 2 MB, and a UTF-16 unit up to 3 bytes. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** Pause before a failed report to the workspace, or a failed start, is retried. */
export const REPORT_RETRY_MS = 5_000
/** Seconds a client waits before it retries when too many runs are active. Runs end within minutes. */
export const TOO_MANY_RUNS_RETRY_S = 5
/** Rows deleted before other work may continue. A thread may have millions. */
export const PURGE_ROWS = 1_000
/** Interval at which a waiting copy or read in a thread checks whether it may start: about the duration of reading a small file. */
export const SEMAPHORE_POLL_INTERVAL_MS = 20
