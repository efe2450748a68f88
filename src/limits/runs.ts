// Limits of runs that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * Default limits of a run (promise 10). A request may lower them, or raise them up to the maximums in
 * src/api/fields/limits.ts.
 */
export const RUN_STEPS_DEFAULT = 25
export const RUN_TOKENS_DEFAULT = 1_000_000
export const RUN_USD_DEFAULT = 2
export const RUN_TOOL_CALLS_DEFAULT = 100
export const RUN_WALL_DEFAULT_S = 600
/** Number of restarts after which a run that crashes its object is stopped. Progress does not reset the count. */
export const RUN_RECOVERIES_DEFAULT = 10
/** Default number of calls of one tool in a run (same as DeerFlow). An admin may change it. */
export const CALLS_PER_TOOL_DEFAULT = 50
/** Maximum number of consecutive retries of failed model calls in one step. */
export const STEP_RETRIES_MAX = 4
/** Interval of the alarm that watches an unfinished run. Without one, objects are evicted after 70–140 s. */
export const WATCHDOG_INTERVAL_MS = 30_000
/** Maximum length of content in one row; longer content is split. A row may have 2 MB, and a UTF-16 unit up to 3 bytes. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** Pause before a failed report to the workspace, or a failed start, is retried. */
export const REPORT_RETRY_PAUSE_MS = 5_000
/** How long a client should wait before it retries when too many runs are active. Runs end within minutes. */
export const TOO_MANY_RUNS_RETRY_S = 5
/** Number of rows deleted before other work may continue. A thread may have millions of rows. */
export const PURGE_BATCH_ROWS = 1_000
/** Interval at which a waiting copy or read in a thread checks whether it may start: about the duration of reading a small file. */
export const SEMAPHORE_POLL_INTERVAL_MS = 20
