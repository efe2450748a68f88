// The limits of this folder: unit in the name, then reason and source.

/** Scripts of a skill that are checked when it is loaded, and characters of each: each is read once per isolate. */
export const FIT_SCRIPTS_MAX = 20
export const FIT_SCRIPT_CHARS = 65_536
/** Characters of a query: a task in a sentence or two. */
export const SEARCH_QUERY_MAX_CHARS = 256
