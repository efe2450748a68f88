// The parameters of an operation as fields of the tool's input, and the templates that put each in its place.

import { cutText } from '../../../lib/text.ts'
import { OPENAPI_FIELD_DESCRIPTION_MAX_CHARS } from './limits.ts'
import { isObject, type Schema } from '../input-schema.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'
import { inlined } from './inline.ts'

/** What an operation takes, as it grows. */
export interface Inputs {
  readonly properties: Record<string, Schema>
  readonly required: string[]
  /** Parameters of the path by their names there: the field of the input. */
  readonly path: Map<string, string>
  readonly query: Record<string, string>
  readonly headers: Record<string, string>
}

/** What HTTP or the rest of the definition says. */
const NOT_OURS = /^(?:accept|content-type|authorization|host|content-length|user-agent)$/i

/** Frameworks take another method or path from these, so that a tool that reads would act. */
const OVERRIDES = /^(?:x-http-method(?:-override)?|x-method-override|x-original-url|x-rewrite-url|_method)$/i

export function addParameters(
  document: Schema,
  given: readonly Schema[],
  inputs: Inputs,
  notes: Set<string>,
): void {
  // An operation's own replaces its path's of the same place and name.
  const all = new Map<string, Schema>()
  for (const owner of given)
    for (const one of listAt(owner, 'parameters')) {
      const parameter = objectAt(document, one)
      if (parameter) all.set(`${textAt(parameter, 'in')} ${textAt(parameter, 'name')}`, parameter)
    }
  for (const parameter of all.values()) add(document, parameter, inputs, notes)
}

function add(document: Schema, parameter: Schema, inputs: Inputs, notes: Set<string>): void {
  const name = textAt(parameter, 'name') ?? ''
  const place = textAt(parameter, 'in')
  const required = parameter['required'] === true || place === 'path'
  if (name === '') throw new Unusable('has a parameter without a name')
  if (place === 'cookie') {
    if (required) throw new Unusable(`needs the cookie ${cutText(name, 80)}, and cookies are not sent`)
    notes.add(`The cookie ${cutText(name, 80)} is left out.`)
    return
  }
  if (place === 'header' && NOT_OURS.test(name)) return
  if (OVERRIDES.test(name)) {
    notes.add(`${cutText(name, 80)} is left out: with it a request is another one than the tool is for.`)
    return
  }
  const schema = described(parameter, inlined(document, schemaOf(document, parameter), notes))
  const field = fieldName(name, inputs.properties)
  const value = `{{input.${field}}}`
  if (place === 'path') inputs.path.set(name, field)
  else if (place === 'header') inputs.headers[name] = value
  else if (place === 'query') {
    const deep = textAt(parameter, 'style') === 'deepObject' || name.endsWith('[]')
    Object.assign(inputs.query, fieldsOf(name, field, schema, deep))
  } else throw new Unusable(`has the parameter ${cutText(name, 80)} in a place that is not known`)
  const joined = place === 'query' && parameter['explode'] === false && schema['type'] === 'array'
  inputs.properties[field] = joined ? asList(schema) : schema
  if (required) inputs.required.push(field)
}

function schemaOf(document: Schema, parameter: Schema): unknown {
  if (parameter['schema'] !== undefined) return parameter['schema']
  const content = isObject(parameter['content']) ? parameter['content'] : {}
  return objectAt(document, Object.values(content)[0])?.['schema'] ?? {}
}

function described(parameter: Schema, schema: Schema): Schema {
  const said = textAt(parameter, 'description')?.trim()
  return said ? { ...schema, description: cutText(said, OPENAPI_FIELD_DESCRIPTION_MAX_CHARS) } : schema
}

function asList({ description }: Schema): Schema {
  const said = typeof description === 'string' ? `${description} ` : ''
  return { type: 'string', description: `${said}Several are separated by commas.` }
}

/**
 * The templates of one field of a query or a form. `deep`: as `name[inner]`, of those inner fields that are known, and lists
 * as `name[]`.
 */
export function fieldsOf(
  name: string,
  path: string,
  schema: Schema,
  deep: boolean,
): Readonly<Record<string, string>> {
  const inner = propertiesOf(schema)
  if (!deep || (inner === null && schema['type'] !== 'array')) return { [name]: `{{input.${path}}}` }
  if (inner === null) return { [name.endsWith('[]') ? name : `${name}[]`]: `{{input.${path}}}` }
  const made = Object.entries(inner)
    .filter(([key]) => /^[A-Za-z0-9_-]{1,64}$/.test(key))
    .map(([key, one]) => fieldsOf(`${name}[${key}]`, `${path}.${key}`, isObject(one) ? one : {}, true))
  return Object.assign({}, ...made)
}

/** Those of the schema, or of the first of its alternatives that has some. */
function propertiesOf(schema: Schema): Schema | null {
  const { properties } = schema
  if (isObject(properties) && Object.keys(properties).length > 0) return properties
  for (const one of [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]) {
    const found = isObject(one) ? propertiesOf(one) : null
    if (found) return found
  }
  return null
}

/** A name that the API takes for a field and that none has yet. */
export function fieldName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const base =
    name

      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || 'field'
  let field = base
  for (let more = 2; Object.hasOwn(taken, field); more++) field = `${base}_${more}`
  return field
}
