// Numbers of this folder, with unit and reason.

/** ms that a toast without a way back stands: 20 words read at ease. */
export const TOAST_MS = 6_000
