// Limits of Markdown in a terminal.

/**
 * How much of an answer may be held back until its block is complete; beyond this, the text is shown
 * unformatted. Paragraphs have hundreds of characters.
 */
export const CHAT_BLOCK_MAX_CHARS = 16_384
