// Limits of this folder: unit in the name, then reason and source.

/** The maximum that a workspace can set. For more, use `untrusted_then_act`. */
export const LINK_BITS_CEILING = 10_000
/** How long an isolate trusts cached settings of a workspace, as it trusts a verified key. */
export const SETTINGS_CACHE_MS = 30_000
/** Workspaces whose settings an isolate caches: some hundred bytes each. */
export const SETTINGS_CACHE_ENTRIES = 1_000
/** Timeout for reading a workspace's settings, which takes milliseconds. */
export const SETTINGS_WAIT_MS = 1_000
/** Pause before a failed read is retried. Until then requests use the last known settings without waiting. */
export const SETTINGS_RETRY_MS = 5_000
/** Hosts in one of a workspace's lists; a pattern is a name of at most 253 characters (RFC 1035) and `*.`. */
export const HOST_LIST_MAX = 500
export const HOST_PATTERN_MAX_CHARS = 255
