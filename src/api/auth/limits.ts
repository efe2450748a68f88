// Limits of this folder: unit in the name, then reason and source.

/** Credential in a header; ours have under 200. */
export const BEARER_MAX_CHARS = 512
/** How long an isolate trusts a verified key before it checks again: the limit on revocation. */
export const KEY_CACHE_MS = 30_000
export const KEY_CACHE_ENTRIES = 1_000
