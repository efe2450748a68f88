// Where the title of a thread is among its texts.

/** Place of a thread's title; messages have their numbers. */
export const TITLE = 0
