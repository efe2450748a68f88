// The limits of this folder: unit in the name, then reason and source.

/** Maximum number of rankings that an isolate caches, one per workspace: at most 2 MB in total. */
export const CACHED_RANKINGS_MAX = 32
