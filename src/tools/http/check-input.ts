// Holds a model's input against the schema of an HTTP tool, in bounded time: patterns run as RE2, and formats are those that
// cost nothing. The schema has passed input-schema.ts.

import { format, Validator, type OutputUnit } from '@cfworker/json-schema'
import { jsonDepth } from '../../lib/json-depth.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import {
  HTTP_TOOL_CHECK_STEPS,
  HTTP_TOOL_FAULTS_SHOWN,
  HTTP_TOOL_INPUT_MAX_CHARS,
  HTTP_TOOL_INPUT_MAX_VALUES,
  HTTP_TOOL_PATTERN_COST,
  JSON_MAX_DEPTH,
} from '../../limits.ts'
import { compilePattern, type Pattern } from '../files/pattern.ts'
import { isObject, type Schema } from './input-schema.ts'

/** Their checks take time that grows with the text alone; others are for the server. */
const FORMATS = new Set(['date', 'time', 'date-time', 'uuid', 'ipv4'])
/** What the library asks its table of formats for where a schema has a pattern. */
const PATTERN = 'satchel pattern '
/** It compares each item with each. */
const UNCHECKED = new Set(['uniqueItems'])

class TooMuch extends Error {}

interface Compiled {
  readonly schema: Schema
  readonly patterns: ReadonlyMap<string, Pattern>
  /** Schemas within it. */
  readonly size: number
}

/** What is wrong with the input, in words for the model; a fit one is given back. */
export function checkInput(schema: Schema, input: unknown): Result<Schema, string> {
  if (!isObject(input)) return err('The input must be an object.')
  const text = JSON.stringify(input)
  if (text.length > HTTP_TOOL_INPUT_MAX_CHARS)
    return err(
      `The input has ${text.length} characters; ${HTTP_TOOL_INPUT_MAX_CHARS} are the most. Send less.`,
    )
  if (jsonDepth(text) > JSON_MAX_DEPTH) return err(`The input nests deeper than ${JSON_MAX_DEPTH} levels.`)
  const values = valuesIn(input)
  const compiled = compile(schema)
  if (values > HTTP_TOOL_INPUT_MAX_VALUES || values * compiled.size > HTTP_TOOL_CHECK_STEPS)
    return err(`The input holds ${values} values, which is more than can be checked. Send less.`)
  const faults = check(compiled, input)
  if (typeof faults === 'string') return err(faults)
  if (faults.length === 0) return ok(input)
  const shown = faults.slice(0, HTTP_TOOL_FAULTS_SHOWN)
  const more = faults.length > shown.length ? ` And ${faults.length - shown.length} more.` : ''
  return err(`The input does not fit. ${shown.join(' ')}${more} Call again with it mended.`)
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 1)
}

function check({ schema, patterns }: Compiled, input: Schema): readonly string[] | string {
  const table: Record<string, ((text: string) => boolean) | undefined> = format
  try {
    // Its table of formats is the one place where the library asks somebody else. It checks without a pause, so nobody
    // else meets what stands there meanwhile.
    for (const [source, pattern] of patterns)
      table[PATTERN + source] = (text) => {
        const fits = pattern.test(text)
        if ([...patterns.values()].reduce((sum, one) => sum + one.cost(), 0) > HTTP_TOOL_PATTERN_COST)
          throw new TooMuch()
        return fits
      }
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(input)
    return valid ? [] : told(errors)
  } catch (error) {
    if (error instanceof TooMuch)
      return 'The input takes too long to check against its patterns. Send shorter texts.'
    return 'The input could not be checked. Send less, or a simpler one.'
  } finally {
    for (const source of patterns.keys()) delete table[PATTERN + source]
  }
}

/** They say that something within does not fit, which is said by itself. */
const AROUND = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'if',
  'dependentSchemas',
])

function told(errors: readonly OutputUnit[]): readonly string[] {
  const said = errors.filter(({ keyword }) => !AROUND.has(keyword)).map(faultOf)
  return [...new Set(said.length > 0 ? said : errors.map(faultOf))]
}

function faultOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const place = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.')
  const name = cutText(place, 200) || 'input'
  if (keyword === 'false') return `${name}: is not a field of this tool.`
  if (keyword === 'format' && error.includes(PATTERN))
    return `${name}: does not match the pattern ${cutText(error.slice(error.indexOf(PATTERN) + PATTERN.length), 200).replace(/"\.?$/, '')}.`
  return `${name}: ${cutText(error.replaceAll('Instance', 'The value'), 300)}`
}

/** A copy that the library may write into, without what must not be checked by it. */
function compile(schema: Schema): Compiled {
  const patterns = new Map<string, Pattern>()
  let size = 0
  const copy = (value: unknown): unknown => {
    if (!isObject(value)) return value
    size += 1
    const made: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(value)) {
      if (UNCHECKED.has(key) || key === 'pattern' || key === 'format') continue
      if (MAPS.has(key) && isObject(one))
        made[key] = Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, copy(inner)]))
      else if (LISTS.has(key) && Array.isArray(one)) made[key] = one.map(copy)
      else made[key] = SCHEMAS.has(key) ? copy(one) : one
    }
    const kept = typeof value['format'] === 'string' && FORMATS.has(value['format']) ? [value['format']] : []
    const source = value['pattern']
    if (typeof source === 'string') {
      const pattern = compilePattern(source, { wholeText: true })
      if (pattern.ok) patterns.set(source, pattern.value)
      if (pattern.ok) kept.push(PATTERN + source)
    }
    const [first, second] = kept
    if (first !== undefined) made['format'] = first
    if (second !== undefined)
      made['allOf'] = [...(Array.isArray(made['allOf']) ? made['allOf'] : []), { format: second }]
    return made
  }
  // An object gives an object.
  return { schema: copy(schema) as Schema, patterns, size }
}

const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SCHEMAS = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
])
