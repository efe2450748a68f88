// Every number of Markdown in a terminal, with unit and reason.

/** Of an answer, what is held back until its block is complete; past this it is shown as it stands. Paragraphs have hundreds. */
export const CHAT_BLOCK_MAX_CHARS = 16_384
