// Converts the parameters of an operation to fields of the tool's input, and to templates that insert them.

import { cutText } from '../../../lib/text.ts'
import { OPENAPI_FIELD_DESCRIPTION_MAX_CHARS } from './limits.ts'
import { isObject } from '../../../lib/json-object.ts'
import type { Schema } from '../input-schema.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'
import { inlineSchema } from './inline.ts'

/** Collects the inputs of an operation while it is converted. */
export interface Inputs {
  readonly properties: Record<string, Schema>
  readonly required: string[]
  /** Maps the name of each path parameter to the field of the input. */
  readonly path: Map<string, string>
  readonly query: Record<string, string>
  readonly headers: Record<string, string>
}

/** Headers that HTTP or other parts of the definition set. */
const SKIPPED_HEADERS = /^(?:accept|content-type|authorization|host|content-length|user-agent)$/i

/** Names of parameters that override the method or path in some frameworks, so that a `read` tool could have side effects. */
const OVERRIDE_NAMES =
  /^(?:x-http-method(?:-override)?|x-method-override|x-original-url|x-rewrite-url|_method)$/i

/** Adds the parameters of the objects, which are the path item and then the operation. */
export function addParameters(
  document: Schema,
  owners: readonly Schema[],
  inputs: Inputs,
  notes: Set<string>,
): void {
  // A parameter of the operation overrides a parameter of the path with the same location and name.
  const parameters = new Map<string, Schema>()
  for (const owner of owners)
    for (const value of listAt(owner, 'parameters')) {
      const parameter = objectAt(document, value)
      if (parameter) parameters.set(`${textAt(parameter, 'in')} ${textAt(parameter, 'name')}`, parameter)
    }
  for (const parameter of parameters.values()) addParameter(document, parameter, inputs, notes)
}

function addParameter(document: Schema, parameter: Schema, inputs: Inputs, notes: Set<string>): void {
  const name = textAt(parameter, 'name') ?? ''
  const location = textAt(parameter, 'in')
  const required = parameter['required'] === true || location === 'path'
  if (name === '') throw new Unusable('has a parameter without a name')
  if (location === 'cookie') {
    if (required)
      throw new Unusable(`requires the cookie ${cutText(name, 80)}, but cookies are not supported`)
    notes.add(`The cookie ${cutText(name, 80)} was omitted.`)
    return
  }
  if (location === 'header' && SKIPPED_HEADERS.test(name)) return
  if (OVERRIDE_NAMES.test(name)) {
    notes.add(`${cutText(name, 80)} was omitted because it would change the method or path of the request.`)
    return
  }
  const schema = withDescription(parameter, inlineSchema(document, schemaOf(document, parameter), notes))
  const field = fieldName(name, inputs.properties)
  const value = `{{input.${field}}}`
  if (location === 'path') inputs.path.set(name, field)
  else if (location === 'header') inputs.headers[name] = value
  else if (location === 'query') {
    const isDeep = textAt(parameter, 'style') === 'deepObject' || name.endsWith('[]')
    Object.assign(inputs.query, fieldsOf(name, field, schema, isDeep))
  } else throw new Unusable(`has the parameter ${cutText(name, 80)} in an unknown location`)
  const isCommaSeparated =
    location === 'query' && parameter['explode'] === false && schema['type'] === 'array'
  inputs.properties[field] = isCommaSeparated ? commaSeparated(schema) : schema
  if (required) inputs.required.push(field)
}

function schemaOf(document: Schema, parameter: Schema): unknown {
  if (parameter['schema'] !== undefined) return parameter['schema']
  const content = isObject(parameter['content']) ? parameter['content'] : {}
  return objectAt(document, Object.values(content)[0])?.['schema'] ?? {}
}

function withDescription(parameter: Schema, schema: Schema): Schema {
  const description = textAt(parameter, 'description')?.trim()
  return description
    ? { ...schema, description: cutText(description, OPENAPI_FIELD_DESCRIPTION_MAX_CHARS) }
    : schema
}

function commaSeparated({ description }: Schema): Schema {
  const prefix = typeof description === 'string' ? `${description} ` : ''
  return { type: 'string', description: `${prefix}Separate several values with commas.` }
}

/**
 * The templates of one field of a query or a form. If `isDeep` is true, an object becomes `name[property]` for each
 * property of the schema, and a list becomes `name[]`.
 */
export function fieldsOf(
  name: string,
  path: string,
  schema: Schema,
  isDeep: boolean,
): Readonly<Record<string, string>> {
  const properties = propertiesOf(schema)
  if (!isDeep || (properties === null && schema['type'] !== 'array')) return { [name]: `{{input.${path}}}` }
  if (properties === null) return { [name.endsWith('[]') ? name : `${name}[]`]: `{{input.${path}}}` }
  const templates = Object.entries(properties)
    .filter(([key]) => /^[A-Za-z0-9_-]{1,64}$/.test(key))
    .map(([key, property]) =>
      fieldsOf(`${name}[${key}]`, `${path}.${key}`, isObject(property) ? property : {}, true),
    )
  return Object.assign({}, ...templates)
}

/** The properties of a schema, or of its first alternative that has any; null if there are none. */
function propertiesOf(schema: Schema): Schema | null {
  const { properties } = schema
  if (isObject(properties) && Object.keys(properties).length > 0) return properties
  for (const alternative of [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]) {
    const inner = isObject(alternative) ? propertiesOf(alternative) : null
    if (inner) return inner
  }
  return null
}

/** Chooses a unique field name that the Messages API accepts. */
export function fieldName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const base =
    name
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || 'field'
  let field = base
  for (let suffix = 2; Object.hasOwn(taken, field); suffix++) field = `${base}_${suffix}`
  return field
}
