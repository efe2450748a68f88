// Headers that repeat parts of a call's input, for servers whose proxies route by them: a property of the input schema
// names its header in `x-mcp-header`.

import { isObject } from '../lib/json-object.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { headerValue } from './headers.ts'

type Json = Readonly<Record<string, unknown>>

const KEYWORD = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']

export interface ParamHeader {
  /** The names of the properties that lead to the value. */
  readonly path: readonly string[]
  /** Follows `Mcp-Param-` in the name of the header. */
  readonly name: string
}

/** The headers of a call with this input. A property that is absent has none. */
export function paramHeaders(
  declared: readonly ParamHeader[],
  input: Json,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    declared.flatMap(({ path, name }) => {
      const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), input)
      if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return []
      return [[`Mcp-Param-${name}`, headerValue(String(value))] as const]
    }),
  )
}

/** The headers that a schema declares. The error is the end of a sentence that begins with the tool. */
export function declaredHeaders(schema: Json): Result<readonly ParamHeader[], string> {
  const found = annotated(schema)
  const names = found.map(({ name }) => String(name).toLowerCase())
  const isValid =
    found.every(({ name, type }) => typeof name === 'string' && TOKEN.test(name) && TYPES.includes(type)) &&
    new Set(names).size === names.length &&
    // Elsewhere than in a chain of properties, a keyword is invalid.
    count(schema) === found.length
  return isValid
    ? ok(found.map(({ path, name }) => ({ path, name: String(name) })))
    : err('has an invalid x-mcp-header in its input schema')
}

interface Annotated {
  readonly path: readonly string[]
  readonly name: unknown
  readonly type: unknown
}

function annotated(schema: Json, path: readonly string[] = []): readonly Annotated[] {
  const properties = schema['properties']
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return []
    const here =
      KEYWORD in property ? [{ path: [...path, key], name: property[KEYWORD], type: property['type'] }] : []
    return [...here, ...annotated(property, [...path, key])]
  })
}

/** How often the keyword occurs anywhere. */
function count(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + count(item), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce((sum, [key, item]) => sum + (key === KEYWORD ? 1 : count(item)), 0)
}
