// Limits of a build, with unit and reason.

/**
 * A file changed less than this before it was read is read again next time: file systems' clocks tick every 2 s at
 * most.
 */
export const BUILD_CACHE_SETTLE_MS = 2_000
