// The numbers of this folder: unit in the name, then reason and source.

/** An OpenAPI document: the largest public ones have 12 MB as JSON; YAML takes ten times as long to read. */
export const OPENAPI_MAX_BYTES = 16_777_216
export const OPENAPI_YAML_MAX_BYTES = 2_097_152
/** What the model reads of an operation, and of one of its fields, in each request. */
export const OPENAPI_DESCRIPTION_MAX_CHARS = 1_000
export const OPENAPI_FIELD_DESCRIPTION_MAX_CHARS = 300
/** Bytes of one input's schema as imported: with the rest it stays under what a definition may have. */
export const OPENAPI_SCHEMA_MAX_BYTES = 49_152
/** Levels of a schema that are kept; fewer where it would be too large otherwise. */
export const OPENAPI_SCHEMA_LEVELS = 12
