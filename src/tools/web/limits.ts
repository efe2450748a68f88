// Limits of the web tools.

/** Size of one response; most papers in PDF are smaller than 10 MB. FILE_READ_QUEUE limits how many responses are in memory. */
export const WEB_FETCH_MAX_BYTES = 16_777_216
/** Timeouts of the HTTP request, and of the entire call, which may also wait for a document reader (DOCUMENT_TIMEOUT_MS). */
export const WEB_REQUEST_TIMEOUT_MS = 20_000
export const WEB_CALL_TIMEOUT_MS = 85_000
export const WEB_REDIRECTS_MAX = 5
/** Length of the prompt of web_fetch; enough for a few sentences. */
export const WEB_PROMPT_MAX_CHARS = 1_000
/** A text up to this length, about 6,000 tokens, is returned completely; a longer text is stored in a file. */
export const WEB_SHOWN_MAX_CHARS = 24_000
/** How much of a longer text is shown: the matching sections or the beginning, and an outline of the headings. */
export const WEB_EXCERPT_MAX_CHARS = 12_000
export const WEB_BEGINNING_MAX_CHARS = 6_000
export const WEB_OUTLINE_MAX_LINES = 120
export const WEB_HEADING_MAX_CHARS = 120
/** Length above which a section is split, and how much of a text is ranked, which takes about 100 ms. */
export const WEB_SECTION_MAX_CHARS = 2_000
export const WEB_RANKED_MAX_CHARS = 400_000
/** JSON up to this length is indented; longer JSON is returned unchanged. */
export const WEB_JSON_PRETTY_MAX_CHARS = 262_144
/** How much of an error page is quoted. */
export const WEB_ERROR_QUOTE_MAX_CHARS = 500
/** Total length of the links of a page that are stored with the call. */
export const WEB_LINKS_MAX_CHARS = 65_536
/** How long a page is cached, and the total length of the pages in one cache. */
export const WEB_CACHE_MAX_AGE_MS = 300_000
export const WEB_CACHE_MAX_CHARS = 2_000_000
/** Maximum length of a query for web_search (Brave's limits, and Tavily's recommended length). */
export const WEB_QUERY_MAX_CHARS = 400
export const WEB_QUERY_MAX_TERMS = 50
/** Default number of results of one search, and the maximum that Tavily and Brave return. */
export const SEARCH_HITS_DEFAULT = 8
export const SEARCH_HITS_MAX = 20
/** How many searches the provider may make in one model call. A question needs one to three; 1,000 cost $10. */
export const SERVER_SEARCHES_MAX = 5
