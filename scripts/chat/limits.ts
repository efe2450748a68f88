// Every number of the chat in a terminal, with unit and reason.

/** Columns of text: longer lines are hard to read, however wide the window. */
export const CHAT_WIDTH_MAX = 100
/** Messages that arrow up brings back, and the file they lie in between: weeks of work. */
export const CHAT_HISTORY_MAX = 500
export const CHAT_HISTORY_MAX_BYTES = 1_048_576
/** Skills and threads listed at once: a screenful; more are found by a word. */
export const CHAT_LIST_MAX = 20
/** npm hands on the signal that the terminal sent already: both within this are one Ctrl-C. */
export const CHAT_SIGNAL_MS = 250
/** Names of saved files: every disk takes 255 bytes, and a number must find room. */
export const SAVE_NAME_MAX_BYTES = 200
/** A name that is taken gets a number, up to this: more like it are a mistake. */
export const SAVE_NAMES_MAX = 1_000
