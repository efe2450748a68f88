// Limits of this folder.

/** Time in ms for which a toast is shown by default: enough to read 20 words. */
export const TOAST_MS = 6_000
