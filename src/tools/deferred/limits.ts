// Limits of deferred tools. A name without a unit is a count.

/**
 * Maximum number of HTTP and MCP tools in the model's list, and maximum tokens of their definitions. If there are
 * more, all of them are deferred.
 */
export const LISTED_TOOLS_MAX = 20
export const LISTED_TOOLS_MAX_TOKENS = 4_000
/** Maximum size of the list of servers and groups in the system prompt. */
export const SOURCES_LISTED_MAX_BYTES = 2_048
/** Maximum number of tools that a search shows, which is what other agents return, and that `select:` may name. */
export const TOOLS_FOUND_MAX = 5
export const TOOLS_SELECTED_MAX = 20
/**
 * Maximum number of further matches of which only the names are shown. A name costs the model about nine tokens (`npm
 * run bench -- --only tool-search`): of 600 queries, 96 % had their tool among 5, 99 % among 15, 99.5 % among 25.
 */
export const FURTHER_TOOLS_MAX = 20
/**
 * How deep the fields of an input are indexed, and how many characters of the text of one field, and of the names and
 * of the texts of all fields. Indexing them takes most of the time of a first search. None of 500 tools exceeds these
 * limits (`npm run bench -- --only tool-search`).
 */
export const TOOL_FIELDS_DEPTH_MAX = 2
export const TOOL_FIELD_TEXT_MAX_CHARS = 200
export const TOOL_FIELDS_MAX_CHARS = 2_000
/** Maximum length of a query. More words would not change the result; twenty long names fit. */
export const TOOL_QUERY_MAX_CHARS = 2_000
/**
 * Maximum length of a pattern, and its maximum cost in computed microseconds. A catalog of 2,000 tools costs about
 * 5,000.
 */
export const TOOL_PATTERN_MAX_CHARS = 200
export const TOOL_PATTERN_COST_MAX_US = 40_000
/** Maximum length of all definitions in one result. A whole result may have TOOL_RESULT_MAX_CHARS. */
export const DEFINITIONS_MAX_CHARS = 60_000
/** Maximum number of similar names in an error. */
export const NEAR_NAMES_MAX = 3
/** How deep calls of call_tool may be nested, and how often an input may be encoded as JSON. */
export const NESTED_CALLS_MAX = 3
