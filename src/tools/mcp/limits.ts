// Limits of MCP servers and their tools. Names end in the unit; a name without a unit is a count.

/** Length of a server's name, which is part of the names of its tools. */
export const MCP_SERVER_NAME_MAX_CHARS = 32
/** Size of a server's definition as JSON. */
export const MCP_SERVER_MAX_BYTES = 16_384
/** Default and maximum time of a call, as for HTTP tools. */
export const MCP_TIMEOUT_DEFAULT_S = 30
export const MCP_TIMEOUT_MAX_S = 120
/** Size of what is stored of one tool besides its input schema. */
export const MCP_TOOL_MAX_BYTES = 65_536
/** Length of a description that the model reads. */
export const MCP_DESCRIPTION_MAX_CHARS = 2_000
/** Length of a tool's name that a model accepts. */
export const MCP_TOOL_NAME_MAX_CHARS = 64
/** How long a server's list of tools is considered current within a run. */
export const MCP_LIST_BELIEVED_MS = 300_000
/** Difference between the time limit of a call and the shorter one of its request, so that the request's error is reported. */
export const MCP_GRACE_MS = 5_000
/** Minimum time between two progress messages that are shown. */
export const MCP_PROGRESS_EVERY_MS = 500
/** What is stored of the last observation of a server: diffs of blocked tools, an error, and names of new tools. */
export const MCP_OBSERVATION_DIFFS_MAX_CHARS = 65_536
export const MCP_OBSERVATION_ERROR_MAX_CHARS = 500
export const MCP_OBSERVATION_NAMES_MAX = 100
/** Number of files created from one result. */
export const MCP_RESULT_FILES_MAX = 10
