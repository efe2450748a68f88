// Every number of a build, with unit and reason.

/** A file changed less than this before it was read is read again next time: clocks of file systems tick up to 2 s. */
export const BUILD_CACHE_SETTLE_MS = 2_000
