// Validates a value against a JSON Schema (the part of 2020-12 that input-schema.ts accepts) in bounded time: the number
// of applied schemas is limited, and patterns run in RE2. A library would limit neither, and would be ten times as large.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { codePoints, cutText } from '../../lib/text.ts'
import { HTTP_TOOL_CHECK_STEPS_MAX, HTTP_TOOL_PATTERN_COST_MAX_US } from './limits.ts'
import { compilePattern, type Pattern } from '../files/pattern.ts'
import { isObject } from '../../lib/json-object.ts'
import { resolveRef, type Schema } from './input-schema.ts'

/** Thrown if the check of a value exceeds its limits. */
export class CheckLimitExceeded extends Error {}

export interface Fault {
  /** The names of fields and indexes of items that lead to the value. */
  readonly path: readonly string[]
  /** The end of a sentence that begins with the path. */
  readonly message: string
}

/** Returns the faults of a value; empty if it is valid. `schema` has passed input-schema.ts. Throws CheckLimitExceeded. */
export function validate(schema: Schema, value: unknown): readonly Fault[] {
  const check: Check = { root: schema, stepsLeft: HTTP_TOOL_CHECK_STEPS_MAX, patterns: new Map() }
  return faultsOf(check, schema, value, [])
}

interface Check {
  readonly root: Schema
  stepsLeft: number
  readonly patterns: Map<string, Pattern | null>
}

type Path = Fault['path']

function faultsOf(check: Check, schema: unknown, value: unknown, path: Path): readonly Fault[] {
  if (--check.stepsLeft < 0) throw new CheckLimitExceeded()
  if (schema === false) return [{ path, message: 'is not a field of this tool' }]
  if (!isObject(schema)) return []
  const faultHere = (message: string): Fault => ({ path, message })
  const ref = schema['$ref']
  return [
    ...(typeof ref === 'string' ? faultsOf(check, resolveRef(check.root, ref), value, path) : []),
    ...typeFaults(schema, value).map(faultHere),
    ...(typeof value === 'string' ? textFaults(check, schema, value).map(faultHere) : []),
    ...(typeof value === 'number' ? numberFaults(schema, value).map(faultHere) : []),
    ...(Array.isArray(value) ? listFaults(check, schema, value, path) : []),
    ...(isObject(value) ? objectFaults(check, schema, value, path) : []),
    ...alternativeFaults(check, schema, value, path),
  ]
}

function isValid(check: Check, schema: unknown, value: unknown): boolean {
  return faultsOf(check, schema, value, []).length === 0
}

function typeOf(value: unknown): string {
  // JSON has no infinite numbers and no NaN; they would be sent as null.
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function typeFaults(schema: Schema, value: unknown): readonly string[] {
  const faults: string[] = []
  const types: readonly unknown[] = schema['type'] === undefined ? [] : [schema['type']].flat()
  const actualType = typeOf(value)
  const hasType = types.some((type) => type === actualType || (type === 'integer' && Number.isInteger(value)))
  if (types.length > 0 && !hasType)
    faults.push(`must be ${types.map(String).join(' or ')}, not ${actualType}`)
  const isSame = (allowed: unknown): boolean =>
    allowed === value || (typeof value === 'object' && canonicalJson(allowed) === canonicalJson(value))
  const options = schema['enum']
  if (Array.isArray(options) && !options.some(isSame)) faults.push(`must be one of ${shortJson(options)}`)
  if (Object.hasOwn(schema, 'const') && !isSame(schema['const']))
    faults.push(`must be ${shortJson(schema['const'])}`)
  return faults
}

function shortJson(value: unknown): string {
  return cutText(JSON.stringify(value), 200)
}

/** Messages for violated bounds. Each bound consists of its keyword, the text before its value, and its check. */
function boundFaults(
  schema: Schema,
  bounds: readonly (readonly [string, string, (bound: number) => boolean])[],
  unit = '',
): readonly string[] {
  return bounds.flatMap(([keyword, relation, isMet]) => {
    const bound = schema[keyword]
    return typeof bound === 'number' && !isMet(bound) ? [`must ${relation} ${bound}${unit}`] : []
  })
}

/** The formats that are checked here. Other formats are left to the server. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i,
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[t ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
}

function textFaults(check: Check, schema: Schema, value: string): readonly string[] {
  const { format, pattern } = schema
  const isBounded = schema['minLength'] !== undefined || schema['maxLength'] !== undefined
  const length = isBounded ? codePoints(value) : 0
  const formatPattern =
    typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return [
    ...boundFaults(
      schema,
      [
        ['minLength', 'have at least', (bound) => length >= bound],
        ['maxLength', 'have at most', (bound) => length <= bound],
      ],
      ' characters',
    ),
    ...(typeof pattern === 'string' && !matches(check, pattern, value)
      ? [`does not match the pattern ${cutText(pattern, 200)}`]
      : []),
    ...(formatPattern && !formatPattern.test(value) ? [`must be a ${String(format)}`] : []),
  ]
}

function matches({ patterns }: Check, source: string, value: string): boolean {
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    const compiled = compilePattern(source, { wholeText: true })
    pattern = compiled.ok ? compiled.value : null
    patterns.set(source, pattern)
  }
  const isMatch = pattern === null || pattern.test(value)
  const totalCost = [...patterns.values()].reduce((total, compiled) => total + (compiled?.cost() ?? 0), 0)
  if (totalCost > HTTP_TOOL_PATTERN_COST_MAX_US) throw new CheckLimitExceeded()
  return isMatch
}

function numberFaults(schema: Schema, value: number): readonly string[] {
  const isMultipleOf = (bound: number): boolean => {
    const quotient = value / bound
    return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
  }
  return boundFaults(schema, [
    ['minimum', 'be at least', (bound) => value >= bound],
    ['maximum', 'be at most', (bound) => value <= bound],
    ['exclusiveMinimum', 'be more than', (bound) => value > bound],
    ['exclusiveMaximum', 'be less than', (bound) => value < bound],
    ['multipleOf', 'be a multiple of', isMultipleOf],
  ])
}

function listFaults(check: Check, schema: Schema, value: readonly unknown[], path: Path): readonly Fault[] {
  const bounds = boundFaults(
    schema,
    [
      ['minItems', 'have at least', (bound) => value.length >= bound],
      ['maxItems', 'have at most', (bound) => value.length <= bound],
    ],
    ' items',
  )
  const faults: Fault[] = bounds.map((message) => ({ path, message }))
  if (schema['uniqueItems'] === true && new Set(value.map(canonicalJson)).size < value.length)
    faults.push({ path, message: 'must not contain the same item twice' })
  const prefixSchemas = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  for (const [index, item] of value.entries()) {
    const itemSchema: unknown = index < prefixSchemas.length ? prefixSchemas[index] : schema['items']
    if (itemSchema !== undefined) faults.push(...faultsOf(check, itemSchema, item, [...path, String(index)]))
  }
  const { contains, minContains = 1, maxContains = Infinity } = schema
  if (contains === undefined || typeof minContains !== 'number' || typeof maxContains !== 'number')
    return faults
  const matchCount = value.filter((item) => isValid(check, contains, item)).length
  if (matchCount < minContains || matchCount > maxContains)
    faults.push({
      path,
      message: `contains ${matchCount} items that match the schema under contains, but must contain ${minContains} to ${maxContains}`,
    })
  return faults
}

function objectFaults(check: Check, schema: Schema, value: Schema, path: Path): readonly Fault[] {
  const names = Object.keys(value)
  const bounds = boundFaults(
    schema,
    [
      ['minProperties', 'have at least', (bound) => names.length >= bound],
      ['maxProperties', 'have at most', (bound) => names.length <= bound],
    ],
    ' fields',
  )
  const faults: Fault[] = bounds.map((message) => ({ path, message }))
  const requireFields = (required: unknown): void => {
    for (const name of Array.isArray(required) ? required.map(String) : [])
      if (!Object.hasOwn(value, name)) faults.push({ path: [...path, name], message: 'is missing' })
  }
  requireFields(schema['required'])
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const name of names) {
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
    if (fieldSchema !== undefined) faults.push(...faultsOf(check, fieldSchema, value[name], [...path, name]))
    if (schema['propertyNames'] !== undefined && !isValid(check, schema['propertyNames'], name))
      faults.push({ path: [...path, name], message: 'has a name that is not valid' })
  }
  const { dependentRequired, dependentSchemas } = schema
  for (const name of names) {
    if (isObject(dependentRequired) && Object.hasOwn(dependentRequired, name))
      requireFields(dependentRequired[name])
    if (isObject(dependentSchemas) && Object.hasOwn(dependentSchemas, name))
      faults.push(...faultsOf(check, dependentSchemas[name], value, path))
  }
  return faults
}

function alternativeFaults(check: Check, schema: Schema, value: unknown, path: Path): readonly Fault[] {
  const faults: Fault[] = []
  for (const subschema of listOf(schema['allOf'])) faults.push(...faultsOf(check, subschema, value, path))
  const anyOf = listOf(schema['anyOf'])
  if (anyOf.length > 0)
    faults.push(
      ...faultsOfClosest(
        anyOf.map((subschema) => faultsOf(check, subschema, value, path)),
        path,
      ),
    )
  const oneOf = listOf(schema['oneOf'])
  if (oneOf.length > 0) {
    const faultLists = oneOf.map((subschema) => faultsOf(check, subschema, value, path))
    const matchCount = faultLists.filter(({ length }) => length === 0).length
    if (matchCount > 1)
      faults.push({ path, message: `matches ${matchCount} alternatives, but must match exactly one` })
    if (matchCount === 0) faults.push(...faultsOfClosest(faultLists, path))
  }
  if (schema['not'] !== undefined && isValid(check, schema['not'], value))
    faults.push({ path, message: 'has a forbidden value' })
  if (schema['if'] !== undefined) {
    const subschema = isValid(check, schema['if'], value) ? schema['then'] : schema['else']
    if (subschema !== undefined) faults.push(...faultsOf(check, subschema, value, path))
  }
  return faults
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Empty if one alternative matches; otherwise the faults of the alternative that is closest. */
function faultsOfClosest(faultLists: readonly (readonly Fault[])[], path: Path): readonly Fault[] {
  const [closest] = faultLists.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
  if (faultLists.some(({ length }) => length === 0) || !closest) return []
  if (faultLists.length === 1) return closest
  return [
    { path, message: `matches none of ${faultLists.length} alternatives; for the closest one:` },
    ...closest,
  ]
}

/** The depth of the fault closest to the root. An alternative of another type fails at the root. */
function depthOf(faults: readonly Fault[]): number {
  return Math.min(...faults.map(({ path }) => path.length))
}
