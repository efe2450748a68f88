// Limits of requests to the web that several folders share: unit in the name, then reason and source.

/** An address to fetch. Servers refuse request lines of more than 8 KiB (Apache and nginx by default). */
export const URL_MAX_CHARS = 8_192
/** Characters of an address that a refusal quotes. */
export const URL_QUOTE_MAX_CHARS = 300
/** An engine answers within a second or two. SearXNG waits for others, up to 10 s by default. */
export const SEARCH_TIMEOUT_MS = 15_000
