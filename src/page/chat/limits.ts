// Limits of this folder.

/** Number of turns rendered when a thread opens, so that long threads open quickly. A button shows the rest. */
export const TURNS_DRAWN = 60
/** px from the end that still count as the end: scroll offsets are fractions on some screens. */
export const AT_END_PX = 8
/** px of hidden content, about four lines, from which the button that scrolls to the end appears. */
export const FAR_PX = 96
/** px above a question that was just sent. */
export const TOP_GAP_PX = 16
/** Characters of a note on a denial or a rating. The server refuses more. */
export const NOTE_CHARS = 2_000
