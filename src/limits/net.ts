// Limits of requests to the web that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of an address to fetch. By default, Apache and nginx refuse request lines of more than 8 KiB. */
export const URL_MAX_CHARS = 8_192
/** Length to which an address in an error message is cut. */
export const URL_QUOTE_MAX_CHARS = 300
/** Timeout for a search. Engines respond within a second or two; SearXNG waits up to 10 s for other engines by default. */
export const SEARCH_TIMEOUT_MS = 15_000
