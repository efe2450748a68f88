// Every number of a push, with unit and reason.

/** One bulk call when pushing a build: KV takes 10,000 entries or 100 MB; less, so that progress shows. */
export const PUSH_BATCH_ENTRIES = 500
export const PUSH_BATCH_BYTES = 20_971_520
