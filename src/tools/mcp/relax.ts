// Converts the input schema of an MCP tool to one that the Messages API and Satchel's validation accept. It accepts at
// least the same inputs; the server checks the rest.

import { isObject } from '../../lib/json-object.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { schemaErrors } from '../http/input-schema.ts'
import { objectAt, Unusable } from '../http/openapi/document.ts'
import { inlineSchema } from '../http/openapi/inline.ts'

type Schema = Readonly<Record<string, unknown>>

interface RelaxedSchema {
  readonly schema: Schema
  /** The server's names of renamed fields, by their name in the schema. */
  readonly fields: Readonly<Record<string, string>>
}

/** Field names that the Messages API accepts. */
const FIELD = /^[a-zA-Z0-9_.-]{1,64}$/

/** The error is the end of a sentence that begins with the tool. */
export function relaxedSchema(schema: Schema): Result<RelaxedSchema, string> {
  try {
    const { anyOf: _, oneOf: __, allOf: ___, ...rest } = inlineSchema(schema, withoutUnion(schema), new Set())
    const { schema: relaxed, fields } = withFieldNames({ ...rest, type: 'object' })
    const [fault] = schemaErrors(relaxed, (name) => FIELD.test(name))
    return fault
      ? err(`has a schema that cannot be used: ${fault.path} ${fault.message}`)
      : ok({ schema: relaxed, fields })
  } catch (error) {
    if (error instanceof Unusable) return err(`has a schema that ${error.message}`)
    throw error
  }
}

/** Renames fields whose names the Messages API does not accept. */
function withFieldNames(schema: Schema): RelaxedSchema {
  const { properties, required } = schema
  if (!isObject(properties)) return { schema, fields: {} }
  const taken = new Set(Object.keys(properties).filter((name) => FIELD.test(name)))
  const names = new Map<string, string>()
  for (const name of Object.keys(properties)) {
    if (FIELD.test(name)) continue
    const plain = name.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, 60) || 'field'
    let free = plain
    for (let nth = 2; taken.has(free); nth++) free = `${plain}_${nth}`
    taken.add(free)
    names.set(name, free)
  }
  if (names.size === 0) return { schema, fields: {} }
  const nameOf = (name: string): string => names.get(name) ?? name
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [nameOf(name), value]),
      ),
      ...(Array.isArray(required) && { required: required.map((name) => nameOf(String(name))) }),
    },
    fields: Object.fromEntries([...names].map(([name, own]) => [own, name])),
  }
}

/**
 * Merges the properties of all alternatives into one object, because the Messages API accepts no alternatives at the
 * top level. A field stays required only if every alternative requires it.
 */
function withoutUnion(root: Schema): Schema {
  const schema = objectAt(root, root) ?? {}
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list: unknown = schema[key]
    return Array.isArray(list)
      ? list.map((branch: unknown) => ({ key, branch: objectAt(root, branch) ?? {} }))
      : []
  })
  if (branches.length === 0) return schema
  const properties = branches.flatMap(({ branch }) =>
    isObject(branch['properties']) ? [branch['properties']] : [],
  )
  const merged = new Map<string, unknown>()
  for (const [name, property] of [
    ...properties,
    isObject(schema['properties']) ? schema['properties'] : {},
  ].flatMap(Object.entries<unknown>))
    // A property that differs between alternatives accepts the values of each.
    merged.set(name, merged.has(name) ? { anyOf: [merged.get(name), property] } : property)
  const always: readonly Schema[] = [
    schema,
    ...branches.filter(({ key }) => key === 'allOf').map(({ branch }) => branch),
  ]
  const required = always.flatMap((part): readonly unknown[] =>
    Array.isArray(part['required']) ? part['required'] : [],
  )
  // `false` would refuse the properties of the alternatives.
  const { additionalProperties: _, ...rest } = schema
  return { ...rest, properties: Object.fromEntries(merged), required }
}
