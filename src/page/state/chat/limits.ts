// Limits of this folder.

/** Pages of messages, runs and files read of one thread. 10,000 messages exceed a context window. */
export const HISTORY_PAGES = 100
