// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/**
 * Maximum number of crashes while a run only waited for the model. Such crashes are caused by deploys or other
 * objects, not by the run. Each crash costs what the interrupted call may have used.
 */
export const RUN_INTERRUPTED_WAITS_MAX = 100
/**
 * Maximum number of tool calls in one model message that are executed. The remaining calls get an error
 * result.
 */
export const STEP_TOOL_CALLS_MAX = 32
/**
 * How often a row records that a model call is in progress. Such a write every five seconds costs a
 * thousandth of the call.
 */
export const OPEN_CALL_WRITE_MS = 5_000
/**
 * How long after the beginning of the API's response the first such row is written: late enough not to delay the
 * first text, and not to be needed for short responses. The row also records what the API reported about the
 * prompt.
 */
export const OPEN_CALL_FIRST_WRITE_MS = 250
/**
 * How long a model call may have continued after its last such row if its object died: a live object would have
 * written another row by then. A busy isolate may write a row several seconds late.
 */
export const OPEN_CALL_DEAD_MS = OPEN_CALL_WRITE_MS + 10_000
/** Maximum length of the reason in the short form of a terminal event. */
export const SHORT_DETAIL_MAX_CHARS = 500
/** Backoff between model calls if the API does not say when to retry: the first wait and the longest wait. */
export const MODEL_BACKOFF_MS = 1_000
export const MODEL_BACKOFF_MAX_MS = 30_000
/**
 * A random addition to each wait, up to this fraction of it, so that runs that failed together do not retry
 * together.
 */
export const MODEL_BACKOFF_JITTER_FRACTION = 0.5
/**
 * Longest wait in memory. A longer wait uses the alarm, so that the object may hibernate.
 */
export const MODEL_WAIT_IN_MEMORY_MAX_MS = 5_000
/**
 * How long a step's response waits for the live catalog before it is written. After that, the tools read the
 * catalog themselves.
 */
export const CATALOG_AHEAD_TIMEOUT_MS = 50
/** Maximum number of characters of a result in an event. */
export const TOOL_PREVIEW_MAX_CHARS = 500
/**
 * If a tool does not limit its results, a result longer than SPILL_ABOVE_CHARS goes to a file (deer-flow: 12,000
 * characters). The model gets SPILL_HEAD_CHARS of its beginning and SPILL_TAIL_CHARS of its end.
 */
export const SPILL_ABOVE_CHARS = 16_000
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
/** Maximum number of uploads listed for the model in one message. The remaining uploads are only counted. */
export const UPLOADS_LISTED_MAX = 20
