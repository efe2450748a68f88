// Limits of tools that several folders share: unit in the name, then reason and source.

/** All images of a result as base64, about 1 MB: with its text the result fits into one row of 2 MB. */
export const TOOL_IMAGES_MAX_CHARS = 1_400_000
/** One read of a resource, as in deer-flow: keeps the head, then suggests a range. */
export const READ_FILE_MAX_CHARS = 50_000
/** A NUL within the first bytes means that a file is not text (deer-flow). */
export const BINARY_HEAD_BYTES = 8_192
/** Schemas in a tool's input schema, each `$ref` counted with everything it references: the work of one check. */
export const HTTP_TOOL_SCHEMA_NODES = 2_000
export const HTTP_TOOL_URL_MAX_CHARS = 2_000
/** Template of a header or query, and a filled header. Servers accept 8 to 16 KB of headers in all. */
export const HTTP_TOOL_TEXT_MAX_CHARS = 4_000
/** Query fields, headers, pointers of `pick`, conditions of a rule, names of secrets: entries of each list. */
export const HTTP_TOOL_LIST_MAX = 50
/** Operations of one import: more do not help a model, and each takes milliseconds to check. */
export const OPENAPI_OPERATIONS_MAX = 500
/** A group's name is a word. */
export const HTTP_TOOL_GROUP_MAX_CHARS = 64
