// Limits of this folder: unit in the name, then reason and source.

/** Length of a credential in a header. Satchel's own keys have fewer than 200 characters. */
export const BEARER_MAX_CHARS = 512
/** How long an isolate trusts a verified key before checking it again. A revoked key works for at most this long. */
export const KEY_CACHE_MS = 30_000
export const KEY_CACHE_ENTRIES = 1_000
