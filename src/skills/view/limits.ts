// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** The share of the model's context that level 1 may use, and the shortest cut description in code points. */
export const INDEX_CONTEXT_SHARE = 0.02
export const INDEX_DESCRIPTION_MIN_CHARS = 120
/** Characters of level 1 if the size of the model's context is unknown. */
export const INDEX_FALLBACK_MAX_CHARS = 8_000
/**
 * Lists of visible skills that are cached with an index. A list takes 80 KB for 10,000 skills; threads with the same
 * allow-list share one.
 */
export const AUDIENCE_LISTS_MAX = 16
/** Characters that replace all `$ARGUMENTS` in one body together. A body may contain thousands of them. */
export const ARGUMENTS_FILLED_MAX_CHARS = 10_000
/** Resources listed with a loaded body; the others are only counted. */
export const RESOURCE_LIST_MAX = 100
/**
 * Characters of that list, and of the list of dependencies: enough for 100 typical paths. Both fit into one tool result
 * together with a body.
 */
export const RESOURCE_LIST_MAX_CHARS = 7_000
