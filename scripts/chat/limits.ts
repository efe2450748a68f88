// Limits of the chat in a terminal.

/** Maximum width of text in columns; longer lines are hard to read, however wide the window is. */
export const CHAT_MAX_COLUMNS = 100
/** Maximum number of messages in the history (weeks of work), and maximum size of its file. */
export const CHAT_HISTORY_MAX_MESSAGES = 500
export const CHAT_HISTORY_MAX_BYTES = 1_048_576
/** Number of skills or threads in one list: one screenful. A search finds the others. */
export const CHAT_LIST_MAX_ENTRIES = 20
/**
 * Two signals within this time count as one Ctrl-C, because npm forwards the signal that the terminal already
 * sent.
 */
export const CHAT_SAME_SIGNAL_MS = 250
/**
 * Maximum length of a saved file's name. Every file system accepts 255 bytes; this leaves space for a number.
 */
export const SAVE_NAME_MAX_BYTES = 200
/** How many numbers are tried for a name that already exists; needing more indicates a mistake. */
export const SAVE_NAME_ATTEMPTS_MAX = 1_000
