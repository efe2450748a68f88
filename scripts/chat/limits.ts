// Limits of the chat in a terminal, with unit and reason.

/** Columns of text: longer lines are hard to read, however wide the window. */
export const CHAT_WIDTH_MAX = 100
/** Messages in the history, and in its file: weeks of work. */
export const CHAT_HISTORY_MAX = 500
export const CHAT_HISTORY_MAX_BYTES = 1_048_576
/** Skills and threads listed at once: a screenful; a search finds more. */
export const CHAT_LIST_MAX = 20
/** npm forwards the signal that the terminal sent already: two within this time are one Ctrl-C. */
export const CHAT_SIGNAL_MS = 250
/** Names of saved files: every disk accepts 255 bytes, and a number must fit. */
export const SAVE_NAME_MAX_BYTES = 200
/** A taken name gets a number, up to this: more indicate a mistake. */
export const SAVE_NAMES_MAX = 1_000
