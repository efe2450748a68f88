// Limits of tools that several folders share. Each name contains the unit; comments give the reason and the source.

/** Characters of all images in a result, as base64: about 1 MB, so that the result fits into one row of 2 MB. */
export const TOOL_IMAGES_MAX_CHARS = 1_400_000
/**
 * Characters returned by one read of a file, same as in deer-flow. A longer file is cut, with a hint to read a range.
 */
export const READ_FILE_MAX_CHARS = 50_000
/** A file with a NUL in its first bytes is not text, same as in deer-flow. */
export const BINARY_HEAD_BYTES = 8_192
/**
 * Schemas in a tool's input schema, counting everything to which a `$ref` refers: a measure of the work of one check.
 */
export const HTTP_TOOL_SCHEMA_NODES = 2_000
export const HTTP_TOOL_URL_MAX_CHARS = 2_000
/** Characters of the template of a header or query, and of a header. Servers accept 8 to 16 KB of headers in total. */
export const HTTP_TOOL_TEXT_MAX_CHARS = 4_000
/** Entries of each list: query fields, headers, pointers of `pick`, conditions of a rule, names of secrets. */
export const HTTP_TOOL_LIST_MAX = 50
/** Operations of one import. More do not help a model, and each takes milliseconds to check. */
export const OPENAPI_OPERATIONS_MAX = 500
/** Characters of a group's name. */
export const HTTP_TOOL_GROUP_MAX_CHARS = 64
