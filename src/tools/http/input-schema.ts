// The rules for the input schema of an HTTP tool: what the Messages API accepts, what can be checked in bounded time,
// and that each name in a template exists. Inputs are checked in check-input.ts.

import { compilePattern } from '../files/pattern.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { HTTP_TOOL_SCHEMA_NODES } from '../../limits/tools.ts'
import type { FieldError } from '../../lib/field-errors.ts'

export type Schema = Readonly<Record<string, unknown>>

const MAPS = ['properties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const ONES = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else']
/** Not supported: each has a simpler alternative, or could make a check run forever. */
const REFUSED: Readonly<Record<string, string>> = {
  patternProperties: 'use properties and additionalProperties',
  $id: 'leave it out',
  $anchor: 'name the target by its path, as in #/$defs/name',
  $dynamicRef: 'use $ref',
  $dynamicAnchor: 'use $ref',
  $recursiveRef: 'use $ref',
  $recursiveAnchor: 'use $ref',
  dependencies: 'use dependentRequired or dependentSchemas',
  unevaluatedProperties: 'use additionalProperties',
  unevaluatedItems: 'use items',
}
const FIELD = /^[a-zA-Z0-9_-]{1,64}$/

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schemas directly inside of this one, with their paths. Those under `$defs` are named, not applied. */
function within(schema: Schema): readonly (readonly [readonly string[], unknown])[] {
  const found: (readonly [readonly string[], unknown])[] = []
  for (const key of MAPS) {
    const map = schema[key]
    if (isObject(map)) for (const [name, one] of Object.entries(map)) found.push([[key, name], one])
  }
  for (const key of LISTS) {
    const list = schema[key]
    if (Array.isArray(list))
      for (const [index, one] of list.entries()) found.push([[key, String(index)], one])
  }
  for (const key of ONES) if (schema[key] !== undefined) found.push([[key], schema[key]])
  return found
}

/** The target of a local `$ref`; undefined if there is none. */
export function resolveRef(root: unknown, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let value = root
  for (const step of ref.slice(2).split('/')) {
    const name = unescape(step)
    if (name === null || typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined
    value = (value as Readonly<Record<string, unknown>>)[name] // an own field
  }
  return value
}

function unescape(step: string): string | null {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return null
  }
}

/** The errors of this schema, each with its path; none: it is valid. At most one error for each path. */
export function schemaErrors(schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = []
  const say = (path: readonly string[], message: string): void => {
    errors.push({ path: ['input_schema', ...path].join('.'), message })
  }
  if (schema['type'] !== 'object') say(['type'], 'must be "object"')
  for (const key of ['anyOf', 'oneOf', 'allOf', '$ref'])
    if (schema[key] !== undefined)
      say([key], 'is not accepted at the top level by the Messages API: write it inside a property')
  const properties = schema['properties']
  if (isObject(properties))
    for (const name of Object.keys(properties))
      if (!FIELD.test(name))
        say(['properties', name], 'must be a name of letters, digits, _ and -, at most 64')
  if (errors.length > 0) return errors
  walk(schema, schema, [], say)
  if (errors.length > 0) return errors
  const size = expanded(schema, schema, [], new Map())
  if (typeof size === 'string') say([], size)
  else if (size > HTTP_TOOL_SCHEMA_NODES)
    say(
      [],
      `is too large: with the targets of each $ref it contains more than ${HTTP_TOOL_SCHEMA_NODES} schemas`,
    )
  return errors
}

type Say = (path: readonly string[], message: string) => void

function walk(root: Schema, schema: unknown, path: readonly string[], say: Say): void {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) return say(path, 'must be a schema: an object, true or false')
  if (path.length > 2 * JSON_MAX_DEPTH) return say(path, `is deeper than ${JSON_MAX_DEPTH} levels`)
  for (const [key, instead] of Object.entries(REFUSED))
    if (schema[key] !== undefined) say([...path, key], `is not supported: ${instead}`)
  for (const key of LISTS)
    if (schema[key] !== undefined && !Array.isArray(schema[key]))
      say([...path, key], 'must be a list of schemas')
  for (const key of MAPS)
    if (schema[key] !== undefined && !isObject(schema[key]))
      say([...path, key], 'must be an object of schemas')
  const names = schema['required']
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    say([...path, 'required'], 'must be a list of names')
  const options = schema['enum']
  if (options !== undefined && !Array.isArray(options)) say([...path, 'enum'], 'must be a list')
  pattern(schema['pattern'], [...path, 'pattern'], say)
  const ref = schema['$ref']
  if (ref !== undefined && (typeof ref !== 'string' || resolveRef(root, ref) === undefined))
    say([...path, '$ref'], 'must name an existing target in this schema, as in #/$defs/name')
  for (const [names, one] of within(schema)) walk(root, one, [...path, ...names], say)
}

function pattern(value: unknown, path: readonly string[], say: Say): void {
  if (value === undefined) return
  if (typeof value !== 'string') return say(path, 'must be a text')
  const compiled = compilePattern(value, { wholeText: true })
  if (!compiled.ok) say(path, `must be a pattern in RE2 syntax. ${compiled.error}`)
}

/**
 * The number of schemas that a check may visit, or why it might not end. `known`: the number for each schema so far.
 */
function expanded(
  root: Schema,
  schema: unknown,
  open: readonly unknown[],
  known: Map<unknown, number>,
): number | string {
  if (!isObject(schema)) return 1
  const before = known.get(schema)
  if (before !== undefined) return before
  if (open.includes(schema)) return 'has a $ref that leads back to itself: write out the levels that you need'
  const inner = within(schema)
    .filter(([[key]]) => key !== '$defs' && key !== 'definitions')
    .map(([, one]) => one)
  if (typeof schema['$ref'] === 'string') inner.push(resolveRef(root, schema['$ref']))
  let size = 1
  for (const one of inner) {
    const more = expanded(root, one, [...open, schema], known)
    if (typeof more === 'string') return more
    size = Math.min(size + more, Number.MAX_SAFE_INTEGER)
  }
  known.set(schema, size)
  return size
}
