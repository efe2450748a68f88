// The numbers of this folder: unit in the name, then reason and source.

/** `pause_turn` continuations in a row. */
export const PAUSE_TURN_MAX = 5
/** Same tool and same input in one run: a warning at the first number, the end of the loop at the second. */
export const REPEAT_WARN = 3
export const REPEAT_STOP = 5
/** Of a request that waits for approval: as much as is read at a glance; of a body its beginning and its end. */
export const APPROVAL_URL_CHARS = 2_000
/** What is longer has a line for each field of its query. */
export const APPROVAL_URL_LINE_CHARS = 200
/** Of an address with too many parts to shorten each: as much as any tool sends (HTTP_TOOL_SENT_URL_MAX_CHARS), laid out. */
export const APPROVAL_URL_HEAD_CHARS = 12_000
export const APPROVAL_URL_TAIL_CHARS = 1_000
export const APPROVAL_HEADER_CHARS = 500
/** More of this is the end: a tool may write several inputs into one header. */
export const APPROVAL_HEADER_TAIL_CHARS = 200
export const APPROVAL_HEADERS_MAX = 50
/** A name that others chose, in the words of a request: what is read as a name, and too short for a speech. */
export const APPROVAL_NAME_CHARS = 60
export const APPROVAL_BODY_HEAD_CHARS = 3_000
export const APPROVAL_BODY_TAIL_CHARS = 1_000
/** Blanks, and empty lines, in a row that are shown as they are: more move what is behind them out of sight, or into other lines. */
export const BLANKS_SHOWN = 40
export const EMPTY_LINES_SHOWN = 8
/** Characters in a row that cannot be seen, told one by one; of more the count is told. */
export const UNSEEN_SHOWN = 4
/** What one tool result may put into the context. */
export const TOOL_RESULT_MAX_CHARS = 65_536
/** Images of tools in one request: of a request with more the Messages API refuses those over 2,000 pixels a side. */
export const TOOL_IMAGES_MAX = 20
/** The same of one step, whose results stand in memory twice. */
export const STEP_IMAGES_MAX_CHARS = 4_000_000
/** Of all images of one thread, those among its files too: the API takes requests of 32 MB, an isolate holds 128 MB. */
export const THREAD_IMAGES_MAX_CHARS = 20_000_000
/** A side of an image: the Messages API refuses larger ones. */
export const IMAGE_SIDE_MAX_PX = 8_000
/** Tokens of an image before the model says: more than the largest one costs. */
export const IMAGE_TOKENS = 5_000
/**
 * How long the API surely remembers a prompt, from the beginning of the call that wrote or read it. It documents five minutes
 * at least (platform.claude.com, prompt caching); one is left for requests that are slow to arrive.
 */
export const PROMPT_CACHED_MS = 4 * 60_000
