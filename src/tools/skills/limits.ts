// Limits of the tools that load and search skills.

/** How many scripts of a loaded skill are checked, and how many bytes of each script. */
export const CHECKED_SCRIPTS_MAX = 20
export const CHECKED_SCRIPT_MAX_BYTES = 65_536
/** Maximum length of a query; enough for a task described in one or two sentences. */
export const SEARCH_QUERY_MAX_CHARS = 256
