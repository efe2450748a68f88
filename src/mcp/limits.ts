// Limits of the MCP client. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum number of pages of one list, because a list may be endless. Servers send 50 to 1,000 tools a page. */
export const MCP_LIST_PAGES_MAX = 64
/** Maximum number of tools of one list; more are ignored. No model chooses well among more. */
export const MCP_LIST_TOOLS_MAX = 2_000
/** Bytes of all pages of one list, after decompression. */
export const MCP_LIST_MAX_BYTES = 8_388_608
/** Bytes of one answer, after decompression, with all its notifications. It is in memory three times. */
export const MCP_ANSWER_MAX_BYTES = 4_194_304
/** Levels of one message: schemas nest at most twice as deep as JSON_MAX_DEPTH, in an answer that adds a few. */
export const MCP_JSON_MAX_DEPTH = 80
/** Timeout for a list with all its pages. A call waits for it. */
export const MCP_LIST_TIMEOUT_MS = 10_000
/** Timeout for ending a session. No call waits for it. */
export const MCP_GOODBYE_TIMEOUT_MS = 2_000
/** How much of a server's error message is shown. */
export const MCP_ERROR_MAX_CHARS = 4_000
/** How much of a progress message is shown. */
export const MCP_PROGRESS_MAX_CHARS = 500
/** Bytes of the answer of an authorization server, and the length of its token. */
export const MCP_TOKEN_ANSWER_MAX_BYTES = 65_536
export const MCP_TOKEN_MAX_CHARS = 8_192
/** Shortest token, as for a secret: a shorter one occurs in ordinary words, which would then be masked. */
export const MCP_TOKEN_MIN_CHARS = 8
/** Timeout for each request to an authorization server. A token is replaced this long before it expires. */
export const MCP_TOKEN_TIMEOUT_MS = 5_000
/** Timeout for all requests for one token. A call waits for them. */
export const MCP_TOKEN_WORK_TIMEOUT_MS = 10_000
/** Lifetime of a token if its server states none; also the longest lifetime that is accepted. */
export const MCP_TOKEN_LIFE_MS = 300_000
export const MCP_TOKEN_LIFE_MAX_MS = 86_400_000
/**
 * How often a stream that ended before the answer is resumed, and the pause before that unless the server states one.
 */
export const MCP_RESUMES_MAX = 20
export const MCP_RESUME_WAIT_MS = 1_000
export const MCP_RESUME_WAIT_MAX_MS = 10_000
/** Requests for one call of a server that wants its state back before it completes the call. More would be a loop. */
export const MCP_ROUNDS_MAX = 5
