// The numbers of this folder: unit in the name, then reason and source.

/** Level 1: this share of the model's context, or the fallback where it is unknown. */
export const INDEX_CONTEXT_SHARE = 0.02
export const INDEX_MIN_DESCRIPTION = 120
/** Level 1 where the model's context is unknown. */
export const INDEX_FALLBACK_CHARS = 8_000
/** Lists of what one audience sees, kept with an index: threads with the same allow-list share one (80 KB at 10,000 skills). */
export const AUDIENCE_LISTS_MAX = 16
/** What a person wrote, in place of all `$ARGUMENTS` of one body: a body may hold thousands of them. */
export const ARGUMENTS_FILLED_CHARS = 10_000
/** Resources listed with a loaded body; the rest is counted. */
export const RESOURCE_LIST_MAX = 100
/** Characters of that list, and of the skills it builds on: 100 usual paths; with a body they fit into one tool result. */
export const RESOURCE_LIST_CHARS = 7_000
