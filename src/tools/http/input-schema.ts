// Checks the input schema of an HTTP tool: the Messages API must accept it, and it must be possible to check inputs in
// bounded time. Inputs themselves are checked in check-input.ts.

import { compilePattern } from '../files/pattern.ts'
import { isObject } from '../../lib/json-object.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { HTTP_TOOL_SCHEMA_NODES_MAX } from '../../limits/tools.ts'
import type { FieldError } from '../../lib/field-errors.ts'

export type Schema = Readonly<Record<string, unknown>>

const SCHEMA_MAP_KEYWORDS = ['properties', '$defs', 'definitions', 'dependentSchemas']
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMA_KEYWORDS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
]
/** Unsupported keywords with their alternatives. Some of them could make a check run forever. */
const UNSUPPORTED_KEYWORDS: Readonly<Record<string, string>> = {
  patternProperties: 'use properties and additionalProperties',
  $id: 'remove it',
  $anchor: 'refer to the target by its path, as in #/$defs/name',
  $dynamicRef: 'use $ref',
  $dynamicAnchor: 'use $ref',
  $recursiveRef: 'use $ref',
  $recursiveAnchor: 'use $ref',
  dependencies: 'use dependentRequired or dependentSchemas',
  unevaluatedProperties: 'use additionalProperties',
  unevaluatedItems: 'use items',
}
const FIELD = /^[a-zA-Z0-9_-]{1,64}$/

/** The schemas directly inside this schema, each with its path. Includes unused definitions under `$defs`. */
function subschemas(schema: Schema): readonly (readonly [readonly string[], unknown])[] {
  const inner: (readonly [readonly string[], unknown])[] = []
  for (const key of SCHEMA_MAP_KEYWORDS) {
    const map = schema[key]
    if (isObject(map))
      for (const [name, subschema] of Object.entries(map)) inner.push([[key, name], subschema])
  }
  for (const key of SCHEMA_LIST_KEYWORDS) {
    const list = schema[key]
    if (Array.isArray(list))
      for (const [index, subschema] of list.entries()) inner.push([[key, String(index)], subschema])
  }
  for (const key of SCHEMA_KEYWORDS) if (schema[key] !== undefined) inner.push([[key], schema[key]])
  return inner
}

/** The target of a local `$ref`, or undefined if it does not exist. */
export function resolveRef(root: unknown, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let value = root
  for (const token of ref.slice(2).split('/')) {
    const name = decodeToken(token)
    if (name === null || typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined
    value = (value as Readonly<Record<string, unknown>>)[name] // an own property, as just checked
  }
  return value
}

/** Decodes a token of a JSON pointer (RFC 6901) in a URL fragment; null if it is malformed. */
function decodeToken(token: string): string | null {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return null
  }
}

/** The errors of this schema, each with its path; empty if it is valid. `isField` tells which names of fields are accepted. */
export function schemaErrors(
  schema: Schema,
  isField: (name: string) => boolean = (name) => FIELD.test(name),
): readonly FieldError[] {
  const errors: FieldError[] = []
  const report = (path: readonly string[], message: string): void => {
    errors.push({ path: ['input_schema', ...path].join('.'), message })
  }
  if (schema['type'] !== 'object') report(['type'], 'must be "object"')
  for (const key of ['anyOf', 'oneOf', 'allOf', '$ref'])
    if (schema[key] !== undefined)
      report([key], 'is not accepted at the top level by the Messages API; move it into a property')
  const properties = schema['properties']
  if (isObject(properties))
    for (const name of Object.keys(properties))
      if (!isField(name))
        report(['properties', name], 'must be a name of at most 64 letters, digits, _ and -')
  if (errors.length > 0) return errors
  checkSchema(schema, schema, [], report)
  if (errors.length > 0) return errors
  const count = countSchemas(schema, schema, [], new Map())
  if (typeof count === 'string') report([], count)
  else if (count > HTTP_TOOL_SCHEMA_NODES_MAX)
    report(
      [],
      `is too large: with the targets of each $ref it contains more than ${HTTP_TOOL_SCHEMA_NODES_MAX} schemas`,
    )
  return errors
}

type Report = (path: readonly string[], message: string) => void

function checkSchema(root: Schema, schema: unknown, path: readonly string[], report: Report): void {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) return report(path, 'must be a schema: an object, true or false')
  if (path.length > 2 * JSON_MAX_DEPTH) return report(path, `is deeper than ${JSON_MAX_DEPTH} levels`)
  for (const [key, instead] of Object.entries(UNSUPPORTED_KEYWORDS))
    if (schema[key] !== undefined) report([...path, key], `is not supported: ${instead}`)
  for (const key of SCHEMA_LIST_KEYWORDS)
    if (schema[key] !== undefined && !Array.isArray(schema[key]))
      report([...path, key], 'must be a list of schemas')
  for (const key of SCHEMA_MAP_KEYWORDS)
    if (schema[key] !== undefined && !isObject(schema[key]))
      report([...path, key], 'must be an object of schemas')
  const names = schema['required']
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    report([...path, 'required'], 'must be a list of names')
  const options = schema['enum']
  if (options !== undefined && !Array.isArray(options)) report([...path, 'enum'], 'must be a list')
  checkPattern(schema['pattern'], [...path, 'pattern'], report)
  const ref = schema['$ref']
  if (ref !== undefined && (typeof ref !== 'string' || resolveRef(root, ref) === undefined))
    report([...path, '$ref'], 'must refer to an existing target in this schema, as in #/$defs/name')
  for (const [names, subschema] of subschemas(schema))
    checkSchema(root, subschema, [...path, ...names], report)
}

function checkPattern(value: unknown, path: readonly string[], report: Report): void {
  if (value === undefined) return
  if (typeof value !== 'string') return report(path, 'must be a string')
  const compiled = compilePattern(value, { wholeText: true })
  if (!compiled.ok) report(path, `must be a pattern in RE2 syntax. ${compiled.error}`)
}

/**
 * Counts the schemas that a check may visit, or returns an error if the schema is recursive. `cachedCounts` caches the
 * counts.
 */
function countSchemas(
  root: Schema,
  schema: unknown,
  ancestors: readonly unknown[],
  cachedCounts: Map<unknown, number>,
): number | string {
  if (!isObject(schema)) return 1
  const cachedCount = cachedCounts.get(schema)
  if (cachedCount !== undefined) return cachedCount
  if (ancestors.includes(schema))
    return 'has a $ref that leads back to itself; write out the levels that you need'
  const innerSchemas = subschemas(schema)
    .filter(([[key]]) => key !== '$defs' && key !== 'definitions')
    .map(([, subschema]) => subschema)
  if (typeof schema['$ref'] === 'string') innerSchemas.push(resolveRef(root, schema['$ref']))
  let count = 1
  for (const subschema of innerSchemas) {
    const innerCount = countSchemas(root, subschema, [...ancestors, schema], cachedCounts)
    if (typeof innerCount === 'string') return innerCount
    count = Math.min(count + innerCount, Number.MAX_SAFE_INTEGER)
  }
  cachedCounts.set(schema, count)
  return count
}
