// The limits of this folder: unit in the name, then reason and source.

/** OpenAPI documents: the largest public ones are 12 MB as JSON; YAML takes ten times as long to parse. */
export const OPENAPI_MAX_BYTES = 16_777_216
export const OPENAPI_YAML_MAX_BYTES = 2_097_152
/** Characters that the model reads of an operation, and of one of its fields, in each request. */
export const OPENAPI_DESCRIPTION_MAX_CHARS = 1_000
export const OPENAPI_FIELD_DESCRIPTION_MAX_CHARS = 300
/** Bytes of one imported schema: with the rest it stays below the limit of a definition. */
export const OPENAPI_SCHEMA_MAX_BYTES = 49_152
/** Levels of a schema that are kept; fewer if it would be too large. */
export const OPENAPI_SCHEMA_LEVELS = 12
