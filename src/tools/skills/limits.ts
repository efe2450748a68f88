// The numbers of this folder: unit in the name, then reason and source.

/** Scripts of a skill that are looked at when it is loaded, and how far: each has to be read, once an isolate. */
export const FIT_SCRIPTS_MAX = 20
export const FIT_SCRIPT_CHARS = 65_536
/** Characters of a query: a task in a sentence or two. */
export const SEARCH_QUERY_MAX_CHARS = 256
