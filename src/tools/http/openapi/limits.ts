// Limits of OpenAPI imports.

/** Size of a document. The largest public documents are 12 MB as JSON; YAML takes ten times as long to parse. */
export const OPENAPI_MAX_BYTES = 16_777_216
export const OPENAPI_YAML_MAX_BYTES = 2_097_152
/** Length of the descriptions of an operation and of a field. The model reads all descriptions in every request. */
export const OPENAPI_DESCRIPTION_MAX_CHARS = 1_000
export const OPENAPI_FIELD_DESCRIPTION_MAX_CHARS = 300
/** Size of one imported schema. It leaves space for the other parts of a definition. */
export const OPENAPI_SCHEMA_MAX_BYTES = 49_152
/** Maximum depth of an imported schema; deeper levels accept any value. A large schema is cut at a lower depth. */
export const OPENAPI_SCHEMA_MAX_DEPTH = 12
