// Limits of requests to the web that several folders share. Each name contains the unit; comments give the reason and
// the source.

/** Characters of an address to fetch. By default, Apache and nginx refuse request lines of more than 8 KiB. */
export const URL_MAX_CHARS = 8_192
/** Characters of an address that are quoted in an error message. */
export const URL_QUOTE_MAX_CHARS = 300
/** Timeout for a search. Engines respond within a second or two; SearXNG waits up to 10 s for others by default. */
export const SEARCH_TIMEOUT_MS = 15_000
