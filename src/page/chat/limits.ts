// Numbers of this folder, with unit and reason.

/** Turns that are drawn when a thread is opened, so that a long one opens at once; the rest comes on demand. */
export const TURNS_DRAWN = 60
/** px from the end that still are the end: places are fractions on some screens. */
export const AT_END_PX = 8
/** px below the view from which on there is a way to the end: less than four lines are no way. */
export const FAR_PX = 96
/** px above a question that was just sent. */
export const TOP_GAP_PX = 16
/** Characters of a note with a denial or a rating; the server refuses more. */
export const NOTE_CHARS = 2_000
