// Limits of a deploy. Each name contains the unit; comments give the reason.

/** How long to wait for a deployed Worker. A new workers.dev name resolves after a minute or two. */
export const READY_DEADLINE_MS = 240_000
/** How often the deployed Worker is polled, and the timeout of one request. */
export const READY_POLL_MS = 1_000
export const READY_REQUEST_MS = 10_000
