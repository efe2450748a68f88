// Converts a schema of an OpenAPI document to one without references: expands them, translates the syntax of 3.0, and
// accepts any value where it is too deep, recursive or cannot be checked. Notes each simplification.

import { cutText } from '../../../lib/text.ts'
import { HTTP_TOOL_SCHEMA_NODES } from '../../../limits/tools.ts'
import {
  OPENAPI_FIELD_DESCRIPTION_MAX_CHARS,
  OPENAPI_SCHEMA_LEVELS,
  OPENAPI_SCHEMA_MAX_BYTES,
} from './limits.ts'
import { compilePattern } from '../../files/pattern.ts'
import { isObject, type Schema } from '../input-schema.ts'
import { target } from './document.ts'

/** Copied if they have this type. */
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
/** Alternatives of honest documents overlap, so `oneOf` becomes `anyOf`: the server tells them apart. */
const LISTS = [
  ['allOf', 'allOf'],
  ['anyOf', 'anyOf'],
  ['oneOf', 'anyOf'],
  ['prefixItems', 'prefixItems'],
] as const
const ONES = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames']
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

class TooLarge extends Error {}

/** `notes` gets a line for each kind of simplification. Throws Unusable for a dangling reference. */
export function inlined(document: Schema, schema: unknown, notes: Set<string>): Schema {
  for (let levels = OPENAPI_SCHEMA_LEVELS; levels >= 0; levels -= levels > 6 ? 2 : 1) {
    const description = new Set<string>()
    const left = { nodes: HTTP_TOOL_SCHEMA_NODES / 2 }
    try {
      const made = write({ document, notes: description, levels, left }, schema, [], 0)
      if (JSON.stringify(made).length > OPENAPI_SCHEMA_MAX_BYTES) continue
      for (const note of description) notes.add(note)
      return made
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
    }
  }
  notes.add('A schema is too large to be described: any value is accepted.')
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
    return level > work.levels ? cutOff(work, schema) : keywords(work, schema, open, level)
  if (open.includes(ref)) {
    work.notes.add(`${cutText(ref, 100)} leads back to itself: its inner levels accept any value.`)
    return described(schema, {})
  }
  return described(schema, write(work, target(work.document, ref), [...open, ref], level))
}

function cutOff({ levels, notes }: Work, schema: Schema): Schema {
  const type = typesOf(schema)
  const inner = type.length === 0 || type.includes('object') || type.includes('array')
  if (inner) notes.add(`Levels of a schema below ${levels} accept any value.`)
  return described(schema, type.length > 0 ? { type: type.length === 1 ? type[0] : type } : {})
}

/** A description next to a reference is more specific than the target's. */
function described(schema: Schema, made: Schema): Schema {
  const description = schema['description'] ?? schema['title']
  if (!isText(description) || description.trim() === '') return made
  return { ...made, description: cutText(description.trim(), OPENAPI_FIELD_DESCRIPTION_MAX_CHARS) }
}

function typesOf(schema: Schema): readonly string[] {
  const type = schema['type']
  const types = (Array.isArray(type) ? type : [type])
    .filter((one) => isText(one) && TYPES.has(one))
    .map(String)
  // The syntax of 3.0.
  return schema['nullable'] === true && types.length > 0 && !types.includes('null')
    ? [...types, 'null']
    : types
}

function keywords(work: Work, schema: Schema, open: readonly string[], level: number): Schema {
  const made: Record<string, unknown> = {}
  const types = typesOf(schema)
  if (types.length > 0) made['type'] = types.length === 1 ? types[0] : types
  for (const [key, fits] of Object.entries(PLAIN))
    if (Object.hasOwn(schema, key) && fits(schema[key])) made[key] = schema[key]
  if (schema['nullable'] === true && Array.isArray(made['enum']) && !made['enum'].includes(null))
    made['enum'] = [...made['enum'], null]
  bounds(schema, made)
  const { pattern } = schema
  if (isText(pattern))
    if (compilePattern(pattern, { wholeText: true }).ok) made['pattern'] = pattern
    else work.notes.add(`The pattern ${cutText(pattern, 80)} is not valid in RE2: only the server checks it.`)
  const inner = (one: unknown): Schema => write(work, one, open, level + 1)
  properties(work, schema, made, inner)
  for (const [key, as] of LISTS) {
    const list = schema[key]
    if (!Array.isArray(list) || list.length === 0) continue
    // Both keywords exist: a value has to match both.
    if (as in made)
      made['allOf'] = [...(Array.isArray(made['allOf']) ? made['allOf'] : []), { [as]: list.map(inner) }]
    else made[as] = list.map(inner)
  }
  for (const key of ONES) {
    const one = schema[key]
    if (isObject(one)) made[key] = inner(one)
    else if (one === false && key === 'additionalProperties') made[key] = false
  }
  return described(schema, made)
}

/** In 3.0 `exclusiveMinimum: true` belongs to `minimum`. */
function bounds(schema: Schema, made: Record<string, unknown>): void {
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = schema[exclusive]
    if (isNumber(value)) made[exclusive] = value
    else if (value === true && isNumber(made[plain])) {
      made[exclusive] = made[plain]
      delete made[plain]
    }
  }
}

function properties(
  work: Work,
  schema: Schema,
  made: Record<string, unknown>,
  inner: (one: unknown) => Schema,
): void {
  if (schema['patternProperties'] !== undefined)
    work.notes.add('Fields whose names follow a pattern are not described: only the server checks them.')
  const given = schema['properties']
  // Names only, for a schema next to an allOf.
  const names = Array.isArray(schema['required']) ? schema['required'].filter(isText) : []
  if (!isObject(given)) {
    if (names.length > 0) made['required'] = names
    return
  }
  // Only the server writes these, in its answers.
  const sent = Object.entries(given).filter(([, one]) => !(isObject(one) && one['readOnly'] === true))
  const gone = new Set(Object.keys(given).filter((name) => !sent.some(([kept]) => kept === name)))
  made['properties'] = Object.fromEntries(sent.map(([name, one]) => [name, inner(one)]))
  const needed = names.filter((name) => !gone.has(name))
  if (needed.length > 0) made['required'] = needed
}
