// Limits of this folder.

/** Maximum number of pages read of a thread's messages, runs and files. 10,000 messages exceed any context window. */
export const HISTORY_PAGES_MAX = 100
/** Maximum length of a tool's purpose in the title of an approval, which is at most two lines. */
export const PURPOSE_CHARS_MAX = 120
/** Maximum number of pages read of the branches of a thread. Only scripts create more than a thousand. */
export const BRANCH_PAGES_MAX = 10
/** Number of messages from which a thread is opened in several tasks. Fewer take some milliseconds. */
export const LONG_THREAD_MIN_MESSAGES = 100
