// Limits of this folder.

/** Time in ms that a tab without a key waits for another tab's key before it shows the form. Tabs answer within a few ms. */
export const SHARED_KEY_WAIT_MS = 200
