// Limits of a build.

/**
 * How long before a build a file must have been unchanged for its result to be cached. Some file systems store times
 * only to two seconds.
 */
export const BUILD_CACHE_SETTLE_MS = 2_000
