// Limits of this folder.

/** Maximum number of pages read of a thread's messages, runs and files. 10,000 messages exceed any context window. */
export const HISTORY_PAGES_MAX = 100
