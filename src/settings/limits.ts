// The limits of this folder. Each name contains the unit; comments give the reason and the source.

/** Maximum value of `link_bits`. To allow more, change `untrusted_then_act` instead. */
export const LINK_BITS_CEILING = 10_000
/** How long an isolate uses cached settings of a workspace: as long as it trusts a verified key. */
export const SETTINGS_CACHE_MS = 30_000
/** Workspaces whose settings an isolate caches. Each takes a few hundred bytes. */
export const SETTINGS_CACHE_ENTRIES = 1_000
/** Timeout for reading a workspace's settings, which takes milliseconds. */
export const SETTINGS_WAIT_MS = 1_000
/** Pause before a failed read is retried. Until then, requests use the last known settings without waiting. */
export const SETTINGS_RETRY_MS = 5_000
/** Hosts in a list of a workspace, and characters of one: a name of at most 253 characters (RFC 1035) after `*.`. */
export const HOST_LIST_MAX = 500
export const HOST_PATTERN_MAX_CHARS = 255
