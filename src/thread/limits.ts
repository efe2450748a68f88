// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Maximum number of rankings that an isolate caches, one per workspace: at most 2 MB in total. */
export const CACHED_RANKINGS_MAX = 32
