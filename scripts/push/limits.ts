// Limits of a push, with unit and reason.

/** Entries of one bulk call: KV accepts 10,000 entries or 100 MB; fewer show progress. */
export const PUSH_BATCH_ENTRIES = 500
export const PUSH_BATCH_BYTES = 20_971_520
