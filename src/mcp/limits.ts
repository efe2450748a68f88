// Limits of the MCP client. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Pages of one list. Servers send 50 to 1,000 tools a page; a list without end must stop. */
export const MCP_LIST_PAGES_MAX = 64
/** Tools of one list; more are ignored. No model chooses well among more. */
export const MCP_LIST_TOOLS_MAX = 2_000
/** Bytes of all pages of one list, after decompression. */
export const MCP_LIST_MAX_BYTES = 8_388_608
/** Bytes of one answer, after decompression, with all its notifications. It is in memory three times. */
export const MCP_ANSWER_MAX_BYTES = 4_194_304
/** Levels of one message: schemas nest at most twice as deep as JSON_MAX_DEPTH, in an answer that adds a few. */
export const MCP_JSON_MAX_DEPTH = 80
/** Time for a list with all its pages, during which a call waits. */
export const MCP_LIST_TIMEOUT_MS = 10_000
/** Time for the goodbye to a server that keeps sessions; nobody waits for it. */
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
/** Time for each request to an authorization server; a token is replaced as long before it expires. */
export const MCP_TOKEN_TIMEOUT_MS = 5_000
/** Time for all requests for one token, during which a call waits. */
export const MCP_TOKEN_WORK_TIMEOUT_MS = 10_000
/** Life of a token whose server does not say, and the longest life that is believed. */
export const MCP_TOKEN_LIFE_MS = 300_000
export const MCP_TOKEN_LIFE_MAX_MS = 86_400_000
/** How often a stream that ended before the answer is read on, and the pause before that unless the server names one. */
export const MCP_RESUMES_MAX = 20
export const MCP_RESUME_WAIT_MS = 1_000
export const MCP_RESUME_WAIT_MAX_MS = 10_000
