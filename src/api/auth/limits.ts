// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of a credential in a header. Satchel's own keys have fewer than 200 characters. */
export const BEARER_MAX_CHARS = 512
/** How long an isolate trusts a verified key before checking it again. A revoked key works for at most this long. */
export const KEY_CACHE_MAX_AGE_MS = 30_000
/** Maximum number of verified keys that an isolate caches. */
export const KEY_CACHE_ENTRIES_MAX = 1_000
