// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Number of the user's messages that are read for an opening: more than its bound on tokens can show. */
export const USER_MESSAGES_READ_MAX = 2_000
/** Characters of one input or result among the latest steps; longer ones are cut to their beginning and end. */
export const STEP_BLOCK_MAX_CHARS = 20_000
/** Output tokens that a summary may take, including the model's thinking. */
export const SUMMARY_OUTPUT_MAX_TOKENS = 8_000
/** Share of the model's window that a conversation may take when it is sent as text to be summarized. */
export const SUMMARIZED_SHARE = 0.5
/** Assumed size of a window of which nothing is known and that has accepted no request yet. */
export const UNKNOWN_WINDOW_TOKENS = 32_000
/** Tries of a summary: two requests extend the window, the next is one of its own, and then code writes it. */
export const EXTENDING_TRIES = 2
export const OWN_TRY = 3
export const CODE_TRY = 4
/** Estimated size of a message, as a share of the model's window, from which on no new window can contain it. */
export const HOPELESS_SHARE = 1.5
/** Characters of one indexed piece of a text: a short page, so that its words are close to each other. */
export const INDEXED_CHUNK_CHARS = 2_000
/** Pieces of one message that are indexed: 20 million characters. */
export const MESSAGE_CHUNKS_MAX = 10_000
/** Number of excerpts in the answer to a search, and their length. */
export const EXCERPTS_MAX = 10
export const EXCERPT_CHARS = 400
