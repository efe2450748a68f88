// Limits of tools that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of all images in a result, as base64: about 1 MB, so that the result fits into one row of 2 MB. */
export const TOOL_IMAGES_MAX_CHARS = 1_400_000
/** Length to which the result of one file read is cut, the same as in deer-flow. A hint then tells the model to read a range. */
export const READ_FILE_MAX_CHARS = 50_000
/** Number of bytes at the beginning of a file in which a NUL means that the file is not text, the same as in deer-flow. */
export const BINARY_CHECK_BYTES = 8_192
/** Maximum number of schemas in a tool's input schema, including all that a `$ref` refers to. It bounds the work of one check. */
export const HTTP_TOOL_SCHEMA_NODES_MAX = 2_000
/** Size of a tool's input schema as JSON. The largest of public servers have 50 KB; a model reads what fits into a result. */
export const TOOL_SCHEMA_MAX_BYTES = 262_144
export const HTTP_TOOL_URL_MAX_CHARS = 2_000
/** Maximum length of the template of a header or query, and of a header. Servers accept 8 to 16 KB of headers in total. */
export const HTTP_TOOL_TEXT_MAX_CHARS = 4_000
/** Maximum number of entries of each list: query fields, headers, pointers of `pick`, conditions of a rule, names of secrets. */
export const HTTP_TOOL_LIST_ENTRIES_MAX = 50
/**
 * Maximum number of operations in one import. More tools do not help a model, and each operation takes
 * milliseconds to check.
 */
export const OPENAPI_OPERATIONS_MAX = 500
/** Maximum length of the name of a group of tools. */
export const HTTP_TOOL_GROUP_MAX_CHARS = 64
