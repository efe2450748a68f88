// Limits of this folder.

/** Longest pasted text, in characters, that goes into the box. Longer text becomes a file: 20,000 lines freeze the box for seconds. */
export const PASTED_TEXT_MAX_CHARS = 10_240
/** How full the model's context window must be, in percent, before the page suggests a new thread. */
export const CONTEXT_NEARLY_FULL_PERCENT = 80
