// Converts a schema of an OpenAPI document to a schema without references, and translates the syntax of OpenAPI 3.0.
// Accepts any value where the schema is too deep, recursive or impossible to check, and notes each simplification.

import { cutText } from '../../../lib/text.ts'
import { HTTP_TOOL_SCHEMA_NODES_MAX } from '../../../limits/tools.ts'
import {
  OPENAPI_FIELD_DESCRIPTION_MAX_CHARS,
  OPENAPI_SCHEMA_MAX_DEPTH,
  OPENAPI_SCHEMA_MAX_BYTES,
} from './limits.ts'
import { compilePattern } from '../../files/pattern.ts'
import { isObject } from '../../../lib/json-object.ts'
import type { Schema } from '../input-schema.ts'
import { resolveReference } from './document.ts'

/** Keywords that are copied if their value is valid, each with the check of its value. */
const COPIED_KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
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
  for (let levels = OPENAPI_SCHEMA_MAX_DEPTH; levels >= 0; levels -= levels > 6 ? 2 : 1) {
    const attemptNotes = new Set<string>()
    const work: Work = { document, notes: attemptNotes, levels, schemasLeft: HTTP_TOOL_SCHEMA_NODES_MAX / 2 }
    try {
      const result = convertSchema(work, schema, [], 0)
      if (JSON.stringify(result).length > OPENAPI_SCHEMA_MAX_BYTES) continue
      for (const note of attemptNotes) notes.add(note)
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
  /** Deeper levels accept any value. */
  readonly levels: number
  schemasLeft: number
}

/** `openRefs` contains the references that lead to this schema, and `level` is its depth. */
function convertSchema(work: Work, schema: unknown, openRefs: readonly string[], level: number): Schema {
  if (--work.schemasLeft < 0) throw new TooLarge()
  if (!isObject(schema)) return schema === false ? { not: {} } : {}
  const ref = schema['$ref']
  if (typeof ref !== 'string')
    return level > work.levels ? cutSchema(work, schema) : convertKeywords(work, schema, openRefs, level)
  if (openRefs.includes(ref)) {
    work.notes.add(`${cutText(ref, 100)} refers to itself, so its inner levels accept any value.`)
    return withDescription(schema, {})
  }
  const target = resolveReference(work.document, ref)
  return withDescription(schema, convertSchema(work, target, [...openRefs, ref], level))
}

function cutSchema({ levels, notes }: Work, schema: Schema): Schema {
  const types = typesOf(schema)
  const mayHaveInnerLevels = types.length === 0 || types.includes('object') || types.includes('array')
  if (mayHaveInnerLevels) notes.add(`Levels of a schema below ${levels} accept any value.`)
  return withDescription(schema, types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {})
}

/** Adds the description of `schema`. Next to a reference, it is more specific than the description of the target. */
function withDescription(schema: Schema, result: Schema): Schema {
  const description = schema['description'] ?? schema['title']
  if (!isText(description) || description.trim() === '') return result
  return { ...result, description: cutText(description.trim(), OPENAPI_FIELD_DESCRIPTION_MAX_CHARS) }
}

function typesOf(schema: Schema): readonly string[] {
  const type = schema['type']
  const types = (Array.isArray(type) ? type : [type])
    .filter((name) => isText(name) && TYPES.has(name))
    .map(String)
  // OpenAPI 3.0 writes `nullable` instead of the type `null`.
  return schema['nullable'] === true && types.length > 0 && !types.includes('null')
    ? [...types, 'null']
    : types
}

function convertKeywords(work: Work, schema: Schema, openRefs: readonly string[], level: number): Schema {
  const result: Record<string, unknown> = {}
  const types = typesOf(schema)
  if (types.length > 0) result['type'] = types.length === 1 ? types[0] : types
  for (const [key, isValid] of Object.entries(COPIED_KEYWORDS))
    if (Object.hasOwn(schema, key) && isValid(schema[key])) result[key] = schema[key]
  if (schema['nullable'] === true && Array.isArray(result['enum']) && !result['enum'].includes(null))
    result['enum'] = [...result['enum'], null]
  copyExclusiveBounds(schema, result)
  const { pattern } = schema
  if (isText(pattern))
    if (compilePattern(pattern, { wholeText: true }).ok) result['pattern'] = pattern
    else
      work.notes.add(`The pattern ${cutText(pattern, 80)} is not valid in RE2, so only the server checks it.`)
  const convertInner = (inner: unknown): Schema => convertSchema(work, inner, openRefs, level + 1)
  copyProperties(work, schema, result, convertInner)
  for (const [key, newKey] of SCHEMA_LIST_KEYWORDS) {
    const list = schema[key]
    if (!Array.isArray(list) || list.length === 0) continue
    // If the document has both oneOf and anyOf, a value has to match both.
    if (newKey in result)
      result['allOf'] = [
        ...(Array.isArray(result['allOf']) ? result['allOf'] : []),
        { [newKey]: list.map(convertInner) },
      ]
    else result[newKey] = list.map(convertInner)
  }
  for (const key of SCHEMA_KEYWORDS) {
    const inner = schema[key]
    if (isObject(inner)) result[key] = convertInner(inner)
    else if (inner === false && key === 'additionalProperties') result[key] = false
  }
  return withDescription(schema, result)
}

/** Copies exclusive bounds. In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive. */
function copyExclusiveBounds(schema: Schema, result: Record<string, unknown>): void {
  for (const [inclusive, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = schema[exclusive]
    if (isNumber(value)) result[exclusive] = value
    else if (value === true && isNumber(result[inclusive])) {
      result[exclusive] = result[inclusive]
      delete result[inclusive]
    }
  }
}

function copyProperties(
  work: Work,
  schema: Schema,
  result: Record<string, unknown>,
  convertInner: (inner: unknown) => Schema,
): void {
  if (schema['patternProperties'] !== undefined)
    work.notes.add('Fields whose names match a pattern are not included, so only the server checks them.')
  const { properties } = schema
  // A schema next to an allOf may list required names without properties.
  const required = Array.isArray(schema['required']) ? schema['required'].filter(isText) : []
  if (!isObject(properties)) {
    if (required.length > 0) result['required'] = required
    return
  }
  // Read-only properties appear only in responses.
  const isReadOnly = (property: unknown): boolean => isObject(property) && property['readOnly'] === true
  const sentProperties = Object.entries(properties).filter(([, property]) => !isReadOnly(property))
  result['properties'] = Object.fromEntries(
    sentProperties.map(([name, property]) => [name, convertInner(property)]),
  )
  const sentRequired = required.filter(
    (name) => !(Object.hasOwn(properties, name) && isReadOnly(properties[name])),
  )
  if (sentRequired.length > 0) result['required'] = sentRequired
}
