// The numbers of this folder: unit in the name, then reason and source.

/** A credential in one header; ours have under 200. */
export const BEARER_MAX_CHARS = 512
/** A verified key is trusted this long in one isolate before it is looked up again: the bound on revocation. */
export const KEY_CACHE_MS = 30_000
export const KEY_CACHE_ENTRIES = 1_000
