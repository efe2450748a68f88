// Limits of Markdown in a terminal, with unit and reason.

/**
 * The most of an answer that waits until its block is complete; beyond it, text is shown unformatted. Paragraphs
 * have hundreds of characters.
 */
export const CHAT_BLOCK_MAX_CHARS = 16_384
