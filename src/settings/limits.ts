// The numbers of this folder: unit in the name, then reason and source.

/** The most that a workspace can set: beyond it `untrusted_then_act` says what is meant. */
export const LINK_BITS_CEILING = 10_000
/** An isolate goes by what it heard of a workspace's settings this long, as it trusts a verified key. */
export const SETTINGS_CACHE_MS = 30_000
/** Workspaces whose settings an isolate remembers: some hundred bytes each. */
export const SETTINGS_CACHE_ENTRIES = 1_000
/** A workspace that does not say its settings in this time is away: it answers in milliseconds. */
export const SETTINGS_WAIT_MS = 1_000
/** One that was away is asked again after this; until then nobody waits for it who knows what it said last. */
export const SETTINGS_RETRY_MS = 5_000
/** Hosts in one of a workspace's lists; a pattern is a name of at most 253 characters (RFC 1035) and `*.`. */
export const HOST_LIST_MAX = 500
export const HOST_PATTERN_MAX_CHARS = 255
