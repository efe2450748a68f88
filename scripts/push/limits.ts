// Limits of a push.

/** Maximum size of one bulk call. KV would accept 10,000 entries or 100 MB, but smaller calls show progress. */
export const PUSH_BATCH_MAX_ENTRIES = 500
export const PUSH_BATCH_MAX_BYTES = 20_971_520
