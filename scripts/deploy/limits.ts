// Limits of a deploy.

/** How long to wait for a deployed Worker. A new workers.dev subdomain resolves after a minute or two. */
export const READY_DEADLINE_MS = 240_000
/** Interval at which the deployed Worker is polled. */
export const READY_POLL_MS = 1_000
/** Timeout of one such request. */
export const READY_REQUEST_MS = 10_000
