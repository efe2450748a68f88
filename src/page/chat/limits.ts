// Limits of this folder.

/** Number of turns rendered when a thread opens, so that long threads open quickly. A button shows as many earlier turns. */
export const TURNS_PER_BATCH = 60
/** Maximum number of turns at the end that are rendered at once, which fill most screens. Earlier ones follow one by one. */
export const TURNS_AT_ONCE = 6
/** Number of characters of those turns that fill most screens; a turn that begins after as many follows later. */
export const CHARS_AT_ONCE = 2_000
/** Distance in px from the end that still counts as the end, because scroll offsets are fractional on some screens. */
export const AT_END_MAX_PX = 8
/** Height in px of hidden content (about six lines) above which the button that scrolls to the end appears. */
export const END_HIDDEN_PX = 160
/** Height in px at the end of the viewport that the button covers, with some room above it. */
export const END_BUTTON_PX = 72
/** Space in px above a question that was just sent. */
export const QUESTION_TOP_GAP_PX = 16
/** Maximum length of a note on a denial or a rating. The server rejects longer notes. */
export const NOTE_CHARS_MAX = 2_000
