// The numbers of this folder: unit in the name, then reason and source.

/** The share of the model's context for level 1. */
export const INDEX_CONTEXT_SHARE = 0.02
export const INDEX_MIN_DESCRIPTION = 120
/** Characters of level 1 when the model's context is unknown. */
export const INDEX_FALLBACK_CHARS = 8_000
/**
 * Lists of visible skills cached with an index. Threads with the same allow-list share one (80 KB at 10,000 skills).
 */
export const AUDIENCE_LISTS_MAX = 16
/** Characters that all `$ARGUMENTS` of one body may take: a body may contain thousands of them. */
export const ARGUMENTS_FILLED_CHARS = 10_000
/** Resources listed with a loaded body; the others are only counted. */
export const RESOURCE_LIST_MAX = 100
/**
 * Characters of that list, and of the list of dependencies: 100 typical paths. With a body they fit into one tool
 * result.
 */
export const RESOURCE_LIST_CHARS = 7_000
