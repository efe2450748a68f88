// Numbers of this folder, with unit and reason.

/** Bytes of a paste that still goes into the box; a longer one becomes a file, because a box of 20,000 lines stands still for seconds. */
export const PASTE_BYTES = 10_240
/** Percent of the model's window from which the page says that a new thread is near. */
export const WINDOW_NEARLY_FULL = 80
