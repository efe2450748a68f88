// The limits of this folder: unit in the name, then reason and source.

/** Number of consecutive `pause_turn` responses after which a run fails. */
export const PAUSE_TURN_MAX = 5
/** Identical calls (same tool, same input) in one run: REPEAT_WARN of them bring a warning, REPEAT_STOP end the loop. */
export const REPEAT_WARN = 3
export const REPEAT_STOP = 5
/** Length to which an address in an approval request is shortened: as much as a person can check. */
export const APPROVAL_URL_CHARS = 2_000
/** Length beyond which an address is shown with one line per query parameter. */
export const APPROVAL_URL_LINE_CHARS = 200
/**
 * Characters shown of an address with too many parts to shorten each. Enough for the longest address that a tool sends
 * (HTTP_TOOL_SENT_URL_MAX_CHARS), formatted.
 */
export const APPROVAL_URL_HEAD_CHARS = 12_000
export const APPROVAL_URL_TAIL_CHARS = 1_000
export const APPROVAL_HEADER_CHARS = 500
/** Characters shown of the end of a long header, because a tool may put several inputs into one header. */
export const APPROVAL_HEADER_TAIL_CHARS = 200
export const APPROVAL_HEADERS_MAX = 50
/** Length of a quoted name that third parties chose: long enough for a name, too short for a message. */
export const APPROVAL_NAME_CHARS = 60
export const APPROVAL_BODY_HEAD_CHARS = 3_000
export const APPROVAL_BODY_TAIL_CHARS = 1_000
/** Numbers of consecutive blanks and of empty lines that are shown unchanged. More could push text out of sight. */
export const BLANKS_SHOWN_MAX = 40
export const EMPTY_LINES_SHOWN_MAX = 8
/** Number of consecutive invisible characters that are marked individually; the others are only counted. */
export const UNSEEN_MARKED_MAX = 4
/** Number of characters that one tool result may add to the context. */
export const TOOL_RESULT_MAX_CHARS = 65_536
/** Number of tool images in one request. With more, the Messages API refuses images with a side over 2,000 pixels. */
export const TOOL_IMAGES_MAX = 20
/** Number of base64 characters of images in one step, because its results are in memory twice. */
export const STEP_IMAGES_MAX_CHARS = 4_000_000
/**
 * Number of base64 characters of images in one thread, including image files. The API accepts requests of up to 32 MB, and an
 * isolate has 128 MB of memory.
 */
export const THREAD_IMAGES_MAX_CHARS = 20_000_000
/** Width and height of an image, the limit of the Messages API. */
export const IMAGE_SIDE_MAX_PX = 8_000
/** Assumed tokens of an image until the model reports them: more than the largest image costs. */
export const IMAGE_TOKENS = 5_000
/**
 * How long a prompt is certain to be cached, counted from the start of the call that wrote or read it. The API documents at least
 * five minutes (platform.claude.com, prompt caching); one minute is reserved for slow requests.
 */
export const PROMPT_CACHED_MS = 4 * 60_000
