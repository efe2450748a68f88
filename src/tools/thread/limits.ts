// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason or the
// source.

/** Maximum length of a query: a few words, or an ID. */
export const SEARCH_THREAD_QUERY_MAX_CHARS = 200
/**
 * Number of items of a plan, and length of one: more than a person reads at a glance. A plan of this size takes about 2,500
 * tokens of each new window.
 */
export const TODO_ITEMS_MAX = 50
export const TODO_TEXT_MAX_CHARS = 200
