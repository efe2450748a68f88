// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Maximum length of a query: a few words, or an ID. */
export const SEARCH_THREAD_QUERY_MAX_CHARS = 200
