// Limits of runs that several folders share: unit in the name, then reason and source.

/** Default limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_STEPS = 25
export const RUN_TOKENS = 1_000_000
export const RUN_USD = 2
export const RUN_TOOL_CALLS = 100
export const RUN_WALL_S = 600
/** Stops a run that crashes its object on each restart. Progress never resets the count. */
export const RUN_RECOVERIES = 10
/** Failed model calls in a row that may be retried within one step. */
export const STEP_RETRIES = 4
/** The alarm that watches an unfinished run: objects are evicted after 70–140 s without one. */
export const WATCHDOG_MS = 30_000
/** A row of Durable Object SQLite holds 2 MB; a UTF-16 unit is at most 3 bytes of UTF-8. Longer contents are split. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** Pause before a failed report to the workspace, or a failed start, is retried. */
export const REPORT_RETRY_MS = 5_000
/** Runs end within minutes: soon enough for a retry, and not a flood. */
export const TOO_MANY_RUNS_RETRY_S = 5
/** Rows deleted before other work gets a turn: a thread may have millions. */
export const PURGE_ROWS = 1_000
/** How often a copy or read in a thread polls for its turn (ms): small files wait too, and each takes about that long. */
export const SEMAPHORE_LOOK_MS = 20
