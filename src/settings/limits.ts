// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum value of `link_bits`. To allow more, change `untrusted_then_act` instead. */
export const LINK_BITS_CEILING = 10_000
/** Maximum value of `calls_per_tool`: as many calls as a request may allow a run in total. */
export const CALLS_PER_TOOL_CEILING = 5_000
/** How long an isolate uses a workspace's cached settings: as long as it trusts a verified key. */
export const SETTINGS_CACHE_MAX_AGE_MS = 30_000
/** Maximum number of workspaces whose settings an isolate caches. Each takes a few hundred bytes. */
export const SETTINGS_CACHE_ENTRIES_MAX = 1_000
/** Timeout for reading a workspace's settings, which takes milliseconds. */
export const SETTINGS_TIMEOUT_MS = 1_000
/** Pause before a failed read is retried. Until then, requests use the last known settings without waiting. */
export const SETTINGS_RETRY_PAUSE_MS = 5_000
/** Maximum number of hosts in a workspace's list, and maximum length of a host: `*.` and a name of 253 characters (RFC 1035). */
export const HOST_LIST_ENTRIES_MAX = 500
export const HOST_PATTERN_MAX_CHARS = 255
