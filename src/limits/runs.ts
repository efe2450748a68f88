// Numbers about runs that several folders share: unit in the name, then reason and source.

/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_STEPS = 25
export const RUN_TOKENS = 1_000_000
export const RUN_USD = 2
export const RUN_TOOL_CALLS = 100
export const RUN_WALL_S = 600
/** Bounds a run that kills its object each time it wakes; never reset by progress. */
export const RUN_RECOVERIES = 10
/** Model calls that failed in a row and may be tried again within one step. */
export const STEP_RETRIES = 4
/** Alarm that looks after an unfinished run; objects are evicted after 70–140 s without one. */
export const WATCHDOG_MS = 30_000
/** A row of Durable Object SQLite holds 2 MB; a UTF-16 unit is at most 3 bytes of UTF-8. Longer contents are split. */
export const MESSAGE_ROW_MAX_CHARS = 500_000
/** What could not be told to the workspace, or not begun, is tried again after this. */
export const REPORT_RETRY_MS = 5_000
/** A run ends within minutes: soon enough to try again, too late to hammer. */
export const TOO_MANY_RUNS_RETRY_S = 5
/** Rows deleted at once, then others have their turn: a thread may have millions. */
export const PURGE_ROWS = 1_000
/** How often a copy or a read in a thread looks whether its turn came (ms): small files wait, too, and each takes about that long. */
export const SEMAPHORE_LOOK_MS = 20
