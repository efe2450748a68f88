// Converts a schema of an OpenAPI document to a schema without references, and translates the syntax of OpenAPI 3.0.
// Accepts any value where the schema is too deep, recursive or impossible to check, and notes each simplification.

import { cutText } from '../../../lib/text.ts'
import { HTTP_TOOL_SCHEMA_NODES } from '../../../limits/tools.ts'
import {
  OPENAPI_FIELD_DESCRIPTION_MAX_CHARS,
  OPENAPI_SCHEMA_LEVELS,
  OPENAPI_SCHEMA_MAX_BYTES,
} from './limits.ts'
import { compilePattern } from '../../files/pattern.ts'
import { isObject, type Schema } from '../input-schema.ts'
import { resolveReference } from './document.ts'

/** Keywords that are copied if their value is valid. */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  const: () => true,
  default: () => true,
  enum: Array.isArray,
  format: isText,
  minimum: isNumber,
  maximum: isNumber,
  multipleOf: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  uniqueItems: (value) => typeof value === 'boolean',
  minProperties: isNumber,
  maxProperties: isNumber,
}
/** Keywords with lists of schemas. `oneOf` becomes `anyOf`, because alternatives often overlap in real documents. */
const SCHEMA_LIST_KEYWORDS = [
  ['allOf', 'allOf'],
  ['anyOf', 'anyOf'],
  ['oneOf', 'anyOf'],
  ['prefixItems', 'prefixItems'],
] as const
const SCHEMA_KEYWORDS = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames']
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

class TooLarge extends Error {}

/** Adds a line to `notes` for each kind of simplification. Throws Unusable if a reference has no target. */
export function inlineSchema(document: Schema, schema: unknown, notes: Set<string>): Schema {
  for (let levels = OPENAPI_SCHEMA_LEVELS; levels >= 0; levels -= levels > 6 ? 2 : 1) {
    const description = new Set<string>()
    const left = { nodes: HTTP_TOOL_SCHEMA_NODES / 2 }
    try {
      const result = write({ document, notes: description, levels, left }, schema, [], 0)
      if (JSON.stringify(result).length > OPENAPI_SCHEMA_MAX_BYTES) continue
      for (const note of description) notes.add(note)
      return result
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
    }
  }
  notes.add('A schema is too large to be included, so any value is accepted.')
  return {}
}

interface Work {
  readonly document: Schema
  readonly notes: Set<string>
  readonly levels: number
  readonly left: { nodes: number }
}

function write(work: Work, schema: unknown, open: readonly string[], level: number): Schema {
  if (--work.left.nodes < 0) throw new TooLarge()
  if (!isObject(schema)) return schema === false ? { not: {} } : {}
  const ref = schema['$ref']
  if (typeof ref !== 'string')
    return level > work.levels ? cutSchema(work, schema) : keywords(work, schema, open, level)
  if (open.includes(ref)) {
    work.notes.add(`${cutText(ref, 100)} refers to itself, so its inner levels accept any value.`)
    return described(schema, {})
  }
  return described(schema, write(work, resolveReference(work.document, ref), [...open, ref], level))
}

function cutSchema({ levels, notes }: Work, schema: Schema): Schema {
  const type = typesOf(schema)
  const inner = type.length === 0 || type.includes('object') || type.includes('array')
  if (inner) notes.add(`Levels of a schema below ${levels} accept any value.`)
  return described(schema, type.length > 0 ? { type: type.length === 1 ? type[0] : type } : {})
}

/** Adds the description of `schema`; next to a reference, it is more specific than that of the target. */
function described(schema: Schema, result: Schema): Schema {
  const description = schema['description'] ?? schema['title']
  if (!isText(description) || description.trim() === '') return result
  return { ...result, description: cutText(description.trim(), OPENAPI_FIELD_DESCRIPTION_MAX_CHARS) }
}

function typesOf(schema: Schema): readonly string[] {
  const type = schema['type']
  const types = (Array.isArray(type) ? type : [type])
    .filter((one) => isText(one) && TYPES.has(one))
    .map(String)
  // OpenAPI 3.0 writes `nullable` instead of the type `null`.
  return schema['nullable'] === true && types.length > 0 && !types.includes('null')
    ? [...types, 'null']
    : types
}

function keywords(work: Work, schema: Schema, open: readonly string[], level: number): Schema {
  const result: Record<string, unknown> = {}
  const types = typesOf(schema)
  if (types.length > 0) result['type'] = types.length === 1 ? types[0] : types
  for (const [key, fits] of Object.entries(PLAIN))
    if (Object.hasOwn(schema, key) && fits(schema[key])) result[key] = schema[key]
  if (schema['nullable'] === true && Array.isArray(result['enum']) && !result['enum'].includes(null))
    result['enum'] = [...result['enum'], null]
  bounds(schema, result)
  const { pattern } = schema
  if (isText(pattern))
    if (compilePattern(pattern, { wholeText: true }).ok) result['pattern'] = pattern
    else
      work.notes.add(`The pattern ${cutText(pattern, 80)} is not valid in RE2, so only the server checks it.`)
  const inner = (one: unknown): Schema => write(work, one, open, level + 1)
  properties(work, schema, result, inner)
  for (const [key, as] of SCHEMA_LIST_KEYWORDS) {
    const list = schema[key]
    if (!Array.isArray(list) || list.length === 0) continue
    // If the document has both oneOf and anyOf, a value has to match both.
    if (as in result)
      result['allOf'] = [
        ...(Array.isArray(result['allOf']) ? result['allOf'] : []),
        { [as]: list.map(inner) },
      ]
    else result[as] = list.map(inner)
  }
  for (const key of SCHEMA_KEYWORDS) {
    const one = schema[key]
    if (isObject(one)) result[key] = inner(one)
    else if (one === false && key === 'additionalProperties') result[key] = false
  }
  return described(schema, result)
}

/** Copies exclusive bounds. In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive. */
function bounds(schema: Schema, result: Record<string, unknown>): void {
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = schema[exclusive]
    if (isNumber(value)) result[exclusive] = value
    else if (value === true && isNumber(result[plain])) {
      result[exclusive] = result[plain]
      delete result[plain]
    }
  }
}

function properties(
  work: Work,
  schema: Schema,
  result: Record<string, unknown>,
  inner: (one: unknown) => Schema,
): void {
  if (schema['patternProperties'] !== undefined)
    work.notes.add('Fields whose names match a pattern are not included, so only the server checks them.')
  const given = schema['properties']
  // A schema next to an allOf may list required names without properties.
  const names = Array.isArray(schema['required']) ? schema['required'].filter(isText) : []
  if (!isObject(given)) {
    if (names.length > 0) result['required'] = names
    return
  }
  // Read-only properties appear only in responses.
  const sent = Object.entries(given).filter(([, one]) => !(isObject(one) && one['readOnly'] === true))
  const readOnlyNames = new Set(Object.keys(given).filter((name) => !sent.some(([kept]) => kept === name)))
  result['properties'] = Object.fromEntries(sent.map(([name, one]) => [name, inner(one)]))
  const needed = names.filter((name) => !readOnlyNames.has(name))
  if (needed.length > 0) result['required'] = needed
}
