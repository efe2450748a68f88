// The limits of this folder: unit in the name, then reason and source.

/** Size of one answer; FILE_READ_QUEUE limits how many are in memory. Papers as PDF mostly have under 10 MB. */
export const WEB_FETCH_MAX_BYTES = 16_777_216
/** Timeout of the response, and of the call including its reading (DOCUMENT_WAIT_MS) and a wait for its turn. */
export const WEB_FETCH_MS = 20_000
export const WEB_FETCH_TIMEOUT_MS = 85_000
export const WEB_REDIRECTS_MAX = 5
/** What a model wants to know: a sentence or two. */
export const WEB_PROMPT_MAX_CHARS = 1_000
/** A text up to this size is returned whole, some 6,000 tokens; a longer one goes to a file. */
export const WEB_SHOWN_MAX_CHARS = 24_000
/** For a longer one: its sections that match a question, or its beginning. */
export const WEB_PICKED_MAX_CHARS = 12_000
export const WEB_HEAD_CHARS = 6_000
export const WEB_OUTLINE_MAX_LINES = 120
export const WEB_HEADING_MAX_CHARS = 120
/** A longer section is split; and this much of a text is ranked, in a tenth of a second. */
export const WEB_SECTION_MAX_CHARS = 2_000
export const WEB_RANKED_MAX_CHARS = 400_000
/** Longer JSON is returned unchanged. */
export const WEB_JSON_PRETTY_MAX_CHARS = 262_144
/** Characters quoted from an error page. */
export const WEB_ERROR_MAX_CHARS = 500
/** Characters of a page's links that are stored in the call's row. */
export const WEB_LINKS_MAX_CHARS = 65_536
/** How long a page is cached, and how many characters of pages an isolate caches for each network access. */
export const WEB_CACHE_MS = 300_000
export const WEB_CACHE_CHARS = 2_000_000
/** A query of web_search: Brave's limit, and Tavily's recommendation. */
export const WEB_QUERY_MAX_CHARS = 400
export const WEB_QUERY_MAX_TERMS = 50
/** Results of one search: a first page; and the maximum that Tavily and Brave return at once. */
export const SEARCH_HITS = 8
export const SEARCH_HITS_MAX = 20
/** Searches that the provider may make in one model call, at $10 for 1,000: an honest question takes one to three. */
export const SERVER_SEARCHES_MAX = 5
