// Limits of this folder.

/** ms that a toast without an action stays: time to read 20 words. */
export const TOAST_MS = 6_000
