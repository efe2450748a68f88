// Turns the input schema of an MCP tool into one that the Messages API and Satchel's check accept, and that accepts at
// least the same inputs. The server checks the rest.

import { isObject } from '../../lib/json-object.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { schemaErrors } from '../http/input-schema.ts'
import { objectAt, Unusable } from '../http/openapi/document.ts'
import { inlineSchema } from '../http/openapi/inline.ts'

type Schema = Readonly<Record<string, unknown>>

/** The error is the end of a sentence that begins with the tool. */
export function relaxedSchema(schema: Schema): Result<Schema, string> {
  try {
    const { anyOf: _, oneOf: __, allOf: ___, ...rest } = inlineSchema(schema, withoutUnion(schema), new Set())
    const relaxed = { ...rest, type: 'object' }
    const [fault] = schemaErrors(relaxed)
    return fault ? err(`has a schema that cannot be used: ${fault.path} ${fault.message}`) : ok(relaxed)
  } catch (error) {
    if (error instanceof Unusable) return err(`has a schema that ${error.message}`)
    throw error
  }
}

/**
 * An object with the properties of all alternatives, because the Messages API accepts no alternatives at the top level.
 * Only what every input must have stays required.
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
    // A property that differs between alternatives has any of their values.
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
