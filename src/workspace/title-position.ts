// The position of a thread's title among its searchable texts.

/** Messages have the positions of their sequence numbers, which start at 1. */
export const TITLE_POSITION = 0
