// Limits of this folder.

/** Bytes of a paste that still goes into the box. A longer one becomes a file: a box with 20,000 lines freezes for seconds. */
export const PASTE_BYTES = 10_240
/** Percent of the model's context window from which the page suggests a new thread. */
export const WINDOW_NEARLY_FULL = 80
