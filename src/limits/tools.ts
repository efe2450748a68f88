// Numbers about tools that several folders share: unit in the name, then reason and source.

/** Their base64 together, about 1 MB of images: with its text a result fits into one row of 2 MB. */
export const TOOL_IMAGES_MAX_CHARS = 1_400_000
/** One read of a resource, as deer-flow: head kept, then a hint to ask for a range. */
export const READ_FILE_MAX_CHARS = 50_000
/** A NUL in so many first bytes means that a file is no text (deer-flow). */
export const BINARY_HEAD_BYTES = 8_192
/** Schemas within an input's schema, each `$ref` counted with all that it names: what one check may walk. */
export const HTTP_TOOL_SCHEMA_NODES = 2_000
export const HTTP_TOOL_URL_MAX_CHARS = 2_000
/** Of a header's or query's template, and of a filled header. Servers take 8 to 16 KB of headers in all. */
export const HTTP_TOOL_TEXT_MAX_CHARS = 4_000
/** Query fields, headers, pointers of `pick`, conditions of a rule, names of secrets: each list. */
export const HTTP_TOOL_LIST_MAX = 50
/** Operations of one import: a model is not served by more, and each is looked at in milliseconds. */
export const OPENAPI_OPERATIONS_MAX = 500
/** A group's name is a word. */
export const HTTP_TOOL_GROUP_MAX_CHARS = 64
