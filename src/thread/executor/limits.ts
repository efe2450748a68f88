// The numbers of this folder: unit in the name, then reason and source.

/** Deaths while a run merely waited for the model: deploys and others' crashes, not its doing; each costs what it may have used by then. */
export const RUN_INTERRUPTED_WAITS = 100
/** Tool calls of one model message that are executed; the rest get an error result. */
export const STEP_TOOL_CALLS = 32
/** How often a row says that a model call goes on. One row in five seconds costs a thousandth of what the call does. */
export const CALL_NOTED_MS = 5_000
/**
 * The first such row comes this long after the API began to answer, so that it delays no first text and short answers need
 * none. It says what the API reported of the prompt, too.
 */
export const CALL_FIRST_NOTED_MS = 250
/**
 * A model call whose object died was over this long after it was last known to go on: alive, the object would have said so
 * again. An isolate that is busy for others says it seconds late.
 */
export const DEATH_NOTICED_MS = CALL_NOTED_MS + 10_000
/** What is kept of the reason of a run whose whole last event cannot be written. */
export const SHORT_DETAIL_CHARS = 500
/** Output asked for in one call; the budget may lower it, never below the floor. */
export const MODEL_MAX_TOKENS = 16_000
/** Backoff between model calls when the API does not say: first wait and cap. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_CAP_MS = 30_000
/** Waits are longer by chance, up to this share, so that runs that failed together do not come back together. */
export const MODEL_BACKOFF_JITTER = 0.5
/** Waits shorter than this are kept in memory; longer ones go to the alarm so that the object may sleep. */
export const MODEL_WAIT_IN_MEMORY_MS = 5_000
/** What is live is asked before a step's answer is written down; a catalog slower than this is asked by the tools. */
export const ASK_AHEAD_MS = 50
/** What an event shows of a result. */
export const TOOL_PREVIEW_CHARS = 500
/** A longer result of a tool that does not bound it goes to a file; the model gets this much of its ends (deer-flow: 12,000). */
export const SPILL_CHARS = 16_000
export const SPILL_HEAD_CHARS = 4_000
export const SPILL_TAIL_CHARS = 2_000
/**
 * What a thread takes ahead when a tool writes, as much as an eighth of its files and within these bounds: so that small
 * writes ask the workspace once in a while. Near the quota it takes only what it needs.
 */
export const FILE_ROOM_AHEAD_MIN_BYTES = 65_536
export const FILE_ROOM_AHEAD_MAX_BYTES = 1_048_576
/** A workspace that does not say in this time whether files have room is away; the write is refused, and may be tried again. */
export const FILE_ROOM_WAIT_MS = 5_000
