// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Number of consecutive `pause_turn` responses after which a run fails. */
export const PAUSE_TURNS_MAX = 5
/** How often a text that the output limit cut off is continued. A text that needs more is probably endless. */
export const CUT_CONTINUATIONS_MAX = 3
/** Numbers of identical calls (same tool, same input) in one run at which the model is warned and at which the loop ends. */
export const REPEATED_CALLS_WARN_AT = 3
export const REPEATED_CALLS_STOP_AT = 5
/** Length to which an address in an approval request is shortened: as much as a person can check. */
export const APPROVAL_URL_MAX_CHARS = 2_000
/** Length beyond which an address is shown with one line per query parameter. */
export const APPROVAL_URL_LINE_MAX_CHARS = 200
/**
 * Characters shown of an address with too many parts to shorten each. Enough for the longest address that a tool sends
 * (HTTP_TOOL_SENT_URL_MAX_CHARS), formatted.
 */
export const APPROVAL_URL_HEAD_CHARS = 12_000
export const APPROVAL_URL_TAIL_CHARS = 1_000
export const APPROVAL_HEADER_MAX_CHARS = 500
/** Number of characters shown from the end of a long header, because a tool may put several inputs into one header. */
export const APPROVAL_HEADER_TAIL_CHARS = 200
export const APPROVAL_HEADERS_MAX = 50
/** Length of a quoted name that third parties chose: long enough for a name, too short for a message. */
export const APPROVAL_NAME_MAX_CHARS = 60
export const APPROVAL_BODY_HEAD_CHARS = 3_000
export const APPROVAL_BODY_TAIL_CHARS = 1_000
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
/** Maximum width and height of an image: the limit of the Messages API. */
export const IMAGE_SIDE_MAX_PX = 8_000
/** Assumed tokens of an image until the model reports them: more than the largest image costs. */
export const IMAGE_TOKENS_ESTIMATE = 5_000
/**
 * How long a prompt is certain to be cached, counted from the start of the call that wrote or read it. The API documents at least
 * five minutes (platform.claude.com, prompt caching); one minute is reserved for slow requests.
 */
export const PROMPT_CACHE_LIFETIME_MS = 4 * 60_000
/**
 * The opening of a window that continues a conversation. Shares are of the model's window. The system prompt, the tools and
 * the opening together take at most half of it, so that as much is left for work.
 */
export const OPENING_SHARE = 0.5
/**
 * Tokens of the user's messages that are included verbatim: the smaller of the two limits. Several pages of requests.
 */
export const OPENING_MESSAGES_TOKENS = 8_000
export const OPENING_MESSAGES_SHARE = 0.15
/** Older messages of the user: the characters shown of each, and the share of all of them. */
export const OPENING_OLDER_MESSAGE_CHARS = 300
export const OPENING_OLDER_SHARE = 0.05
/** Maximum tokens of a summary, and its maximum if there is little space. */
export const OPENING_SUMMARY_TOKENS = 4_000
export const OPENING_SUMMARY_LEAST_TOKENS = 500
/** Tokens of skill instructions: of one skill, and of all of them (the smaller of the two limits). */
export const OPENING_SKILL_TOKENS = 5_000
export const OPENING_SKILLS_TOKENS = 25_000
export const OPENING_SKILLS_SHARE = 0.2
/** Tokens of the definitions of found tools: the smaller of the two limits. About twenty typical definitions. */
export const OPENING_TOOLS_TOKENS = 8_000
export const OPENING_TOOLS_SHARE = 0.08
/** Number of files that are listed: about two pages. */
export const OPENING_FILES_MAX = 100
/** Share of the latest steps, and tokens of the newest step if there is little space. */
export const OPENING_STEPS_SHARE = 0.1
export const OPENING_STEP_LEAST_TOKENS = 200
/** Characters shown of one input or result when a conversation is sent as text to be summarized. */
export const SUMMARIZED_RESULT_MAX_CHARS = 1_000
/** Characters shown of each of the last answers, and how many of them, in a summary that code writes. */
export const CODE_SUMMARY_ANSWER_CHARS = 600
export const CODE_SUMMARY_ANSWERS_MAX = 5
