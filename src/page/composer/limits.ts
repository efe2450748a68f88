// Limits of this folder.

/** Longest pasted text, in characters, that goes into the box. Longer text becomes a file: 20,000 lines freeze the box for seconds. */
export const PASTED_TEXT_MAX_CHARS = 10_240
/** How full the model's context window must be, in percent, before the page says so. */
export const CONTEXT_NEARLY_FULL_PERCENT = 80
/** Space in px between the list of skills and the message box, and between the list and the edge of the view. */
export const LIST_GAP_PX = 8
