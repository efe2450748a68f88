// Limits of deferred tools. A name without a unit is a count.

/** HTTP and MCP tools that a model gets in its list, and the tokens of their definitions. With more, they are deferred. */
export const LISTED_TOOLS_MAX = 20
export const LISTED_TOOLS_MAX_TOKENS = 4_000
/** Size of the list of servers and groups in the system prompt. */
export const SOURCES_LISTED_MAX_BYTES = 2_048
/** Tools that a search finds, and tools that `select:` names. The first is what other agents return. */
export const TOOLS_FOUND_MAX = 5
export const TOOLS_SELECTED_MAX = 20
/**
 * Names of further matches, which cost the model about nine tokens each (`npm run bench -- --only tool-search`): of 400 queries,
 * 95 % had their tool among 5, 98 % among 15, 98.5 % among 25.
 */
export const FURTHER_TOOLS_MAX = 20
/**
 * How deep the fields of an input are searched, and how much of the text of one, and of the names and of the texts of all. Most
 * of the time of a first search is spent on them. Of 500 tools, none has more (`npm run bench -- --only tool-search`).
 */
export const TOOL_FIELDS_DEPTH_MAX = 2
export const TOOL_FIELD_TEXT_MAX_CHARS = 200
export const TOOL_FIELDS_MAX_CHARS = 2_000
/** Length of a query. More words would not change the result; twenty long names fit. */
export const TOOL_QUERY_MAX_CHARS = 2_000
/** Length of a pattern, and its cost in computed microseconds. A catalog of 2,000 tools costs about 5,000. */
export const TOOL_PATTERN_MAX_CHARS = 200
export const TOOL_PATTERN_COST_MAX_US = 40_000
/** Length of all definitions in one result; a result may have TOOL_RESULT_MAX_CHARS. */
export const DEFINITIONS_MAX_CHARS = 60_000
/** Similar names in an error. */
export const NEAR_NAMES_MAX = 3
/** How deep a call of call_tool may be inside others, and how often its input may be encoded as JSON. */
export const NESTED_CALLS_MAX = 3
