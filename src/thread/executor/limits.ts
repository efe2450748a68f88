// The limits of this folder: unit in the name, then reason and source.

/**
 * Maximum number of crashes while a run only waited for the model: these are caused by deploys or other
 * objects, not by the run. Each one costs what the call may have used by then.
 */
export const RUN_INTERRUPTED_WAITS = 100
/** Maximum number of tool calls of one model message that are executed; the others get an error result. */
export const STEP_TOOL_CALLS = 32
/**
 * How often a row records that a model call is in progress. Such a write every five seconds costs a
 * thousandth of the call.
 */
export const OPEN_CALL_WRITE_MS = 5_000
/**
 * When the first such row is written after the API began to respond: late enough not to delay the first text,
 * and to spare short responses the write. It also records what the API reported about the prompt.
 */
export const OPEN_CALL_FIRST_WRITE_MS = 250
/**
 * How long after its last such row a model call may have continued if its object died: a live object would
 * have written another row. A busy isolate may write it several seconds late.
 */
export const OPEN_CALL_DEAD_MS = OPEN_CALL_WRITE_MS + 10_000
/** Maximum length of the reason in the short form of a terminal event. */
export const SHORT_DETAIL_CHARS = 500
/**
 * Maximum number of output tokens requested in one call; the budget may lower it, but not below
 * MODEL_MIN_TOKENS.
 */
export const MODEL_MAX_TOKENS = 16_000
/** Backoff between model calls if the API does not say when to retry: the first wait and the longest one. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_CAP_MS = 30_000
/**
 * A random addition to each wait, up to this fraction of it, so that runs that failed together do not retry
 * together.
 */
export const MODEL_BACKOFF_JITTER = 0.5
/**
 * Longest wait that is kept in memory; longer ones are left to the alarm, so that the object may hibernate.
 */
export const MODEL_WAIT_IN_MEMORY_MS = 5_000
/**
 * How long the writing of a step's response waits for the live catalog; after that, the tools read the
 * catalog themselves.
 */
export const CATALOG_AHEAD_TIMEOUT_MS = 50
/** Maximum number of characters of a result in an event. */
export const TOOL_PREVIEW_CHARS = 500
/**
 * A longer result of a tool that does not limit its results goes to a file; the model gets this many
 * characters of its beginning and end (the limit of deer-flow is 12,000).
 */
export const SPILL_CHARS = 16_000
export const SPILL_HEAD_CHARS = 4_000
export const SPILL_TAIL_CHARS = 2_000
/**
 * How much space a thread requests in advance when a tool writes: an eighth of the size of its files, within
 * these bounds, so that small writes rarely need a request. If the quota does not allow that, it requests
 * only what it needs.
 */
export const FILE_SPACE_AHEAD_MIN_BYTES = 65_536
export const FILE_SPACE_AHEAD_MAX_BYTES = 1_048_576
/**
 * How long a write waits for the workspace to grant space for files. After that the write is refused, and may
 * be retried.
 */
export const FILE_SPACE_TIMEOUT_MS = 5_000
