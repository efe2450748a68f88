// The limits of this folder: unit in the name, then reason and source.

/** Consecutive `pause_turn` continuations. */
export const PAUSE_TURN_MAX = 5
/** Calls with the same tool and input in one run: a warning at the first number, the end of the loop at the second. */
export const REPEAT_WARN = 3
export const REPEAT_STOP = 5
/** Length of an address in an approval request: as much as a person can check. */
export const APPROVAL_URL_CHARS = 2_000
/** A longer address gets one line for each field of its query. */
export const APPROVAL_URL_LINE_CHARS = 200
/**
 * Length of an address with too many parts to shorten each: the longest that a tool sends
 * (HTTP_TOOL_SENT_URL_MAX_CHARS), formatted.
 */
export const APPROVAL_URL_HEAD_CHARS = 12_000
export const APPROVAL_URL_TAIL_CHARS = 1_000
export const APPROVAL_HEADER_CHARS = 500
/** Of these, the part at the end: a tool may put several inputs into one header. */
export const APPROVAL_HEADER_TAIL_CHARS = 200
export const APPROVAL_HEADERS_MAX = 50
/** Length of a name that others chose, quoted in our text: enough for a name, too short for a message. */
export const APPROVAL_NAME_CHARS = 60
export const APPROVAL_BODY_HEAD_CHARS = 3_000
export const APPROVAL_BODY_TAIL_CHARS = 1_000
/**
 * Consecutive blanks, and empty lines, that are shown as they are: more would push text out of sight or onto other
 * lines.
 */
export const BLANKS_SHOWN_MAX = 40
export const EMPTY_LINES_SHOWN_MAX = 8
/** Consecutive invisible characters that are marked one by one; more are counted. */
export const UNSEEN_MARKED_MAX = 4
/** Characters that one tool result may add to the context. */
export const TOOL_RESULT_MAX_CHARS = 65_536
/** Tool images in one request: with more, the Messages API refuses images over 2,000 pixels a side. */
export const TOOL_IMAGES_MAX = 20
/** Image characters in one step, whose results are in memory twice. */
export const STEP_IMAGES_MAX_CHARS = 4_000_000
/**
 * Image characters in one thread, including those of files: the API accepts requests of 32 MB, and an isolate has 128
 * MB.
 */
export const THREAD_IMAGES_MAX_CHARS = 20_000_000
/** Side of an image: the Messages API refuses larger ones. */
export const IMAGE_SIDE_MAX_PX = 8_000
/** Tokens of an image before the model reports them: more than the largest image costs. */
export const IMAGE_TOKENS = 5_000
/**
 * How long a prompt is certainly cached, from the start of the call that wrote or read it. The API documents at least
 * five minutes (platform.claude.com, prompt caching); one is left for slow requests.
 */
export const PROMPT_CACHED_MS = 4 * 60_000
