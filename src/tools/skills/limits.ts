// Limits of the tools that load and search skills.

/** How many scripts of a loaded skill are checked, and how many bytes of each. */
export const FIT_SCRIPTS_MAX = 20
export const FIT_SCRIPT_CHARS = 65_536
/** Maximum length of a query; enough for a task described in one or two sentences. */
export const SEARCH_QUERY_MAX_CHARS = 256
