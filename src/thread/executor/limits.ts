// The limits of this folder: unit in the name, then reason and source.

/**
 * Crashes while a run only waited for the model: caused by deploys or other objects, not by the run. Each costs what
 * the call may have used by then.
 */
export const RUN_INTERRUPTED_WAITS = 100
/** Tool calls of one model message that are executed; the rest get an error result. */
export const STEP_TOOL_CALLS = 32
/** How often a row records that a model call is in progress. One row in five seconds costs a thousandth of the call. */
export const CALL_NOTED_MS = 5_000
/**
 * When the first such row is written after the API began to answer: late enough to delay no first text and to spare
 * short answers the write. It also records what the API reported about the prompt.
 */
export const CALL_FIRST_NOTED_MS = 250
/**
 * How long after its last such row a model call can have continued if its object died: a live object would have written
 * another. A busy isolate writes it seconds late.
 */
export const DEATH_NOTICED_MS = CALL_NOTED_MS + 10_000
/** Length of the reason in the short form of a terminal event. */
export const SHORT_DETAIL_CHARS = 500
/** Output tokens requested in one call; the budget may lower this, never below the minimum. */
export const MODEL_MAX_TOKENS = 16_000
/** Backoff between model calls if the API names no time: first wait and cap. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_CAP_MS = 30_000
/** Random addition to a wait, up to this share, so that runs that failed together do not retry together. */
export const MODEL_BACKOFF_JITTER = 0.5
/** Shorter waits are kept in memory; longer ones go to the alarm so that the object may sleep. */
export const MODEL_WAIT_IN_MEMORY_MS = 5_000
/**
 * How long a step's answer waits for the live catalog before it is written; after that the tools read the catalog
 * themselves.
 */
export const ASK_AHEAD_MS = 50
/** Characters of a result in an event. */
export const TOOL_PREVIEW_CHARS = 500
/**
 * A longer result of a tool that does not limit its own goes to a file; the model gets this much of its beginning and
 * end (deer-flow: 12,000).
 */
export const SPILL_CHARS = 16_000
export const SPILL_HEAD_CHARS = 4_000
export const SPILL_TAIL_CHARS = 2_000
/**
 * Space that a thread requests in advance when a tool writes: an eighth of its files, within these bounds, so that
 * small writes rarely need a request. Near the quota it requests only what it needs.
 */
export const FILE_ROOM_AHEAD_MIN_BYTES = 65_536
export const FILE_ROOM_AHEAD_MAX_BYTES = 1_048_576
/**
 * How long a write waits for the workspace to grant space for files. Then the write is refused, and may be tried again.
 */
export const FILE_ROOM_WAIT_MS = 5_000
