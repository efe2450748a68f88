// Numbers of this folder, with unit and reason.

/** Pages of messages, runs and files that are read of one thread: 10,000 messages are more than a window holds. */
export const HISTORY_PAGES = 100
