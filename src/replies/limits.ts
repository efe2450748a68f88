// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** The input of a reply as JSON. It has a few fields; the longest text in it is the answer, which is added later. */
export const REPLY_INPUT_MAX_CHARS = 16_384
/** How much of each value of a payload a reply can repeat: IDs, addresses and titles, not documents. */
export const REPLY_VALUE_MAX_CHARS = 2_000
/** How much of an answer a reply contains. Slack refuses messages over 40,000 characters, GitHub comments over 65,536. */
export const REPLY_ANSWER_MAX_CHARS = 30_000
/** Maximum length of the stored reason why a reply failed. */
export const REPLY_PROBLEM_MAX_CHARS = 300
/** How much of a tool's response is searched for the values that the second call needs. */
export const REPLY_RESPONSE_MAX_CHARS = 65_536
