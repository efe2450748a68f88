// The position of a thread's title among its searchable texts.

/** Place of a thread's title; messages have their numbers. */
export const TITLE = 0
