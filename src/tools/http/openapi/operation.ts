// Converts one operation of an OpenAPI document to the definition of an HTTP tool, which the caller validates.

import { cutText } from '../../../lib/text.ts'
import { OPENAPI_DESCRIPTION_MAX_CHARS } from './limits.ts'
import { isObject, type Schema } from '../input-schema.ts'
import type { ChosenOperation } from './choose.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'
import { inlineSchema } from './inline.ts'
import { addParameters, fieldName, fieldsOf, type Inputs } from './parameters.ts'
import { securityOf } from './security.ts'

export interface ImportContext {
  readonly document: Schema
  /** The server of every request, or null for the server in the document. */
  readonly server: string | null
  /** Headers of every request, which override those of the document. */
  readonly headers: Readonly<Record<string, string>>
  readonly group: string | null
}

/** Adds what was omitted or remains to be done to `notes`. Throws Unusable if the operation cannot become a tool. */
export function definitionOf(
  context: ImportContext,
  one: ChosenOperation,
  name: string,
  notes: Set<string>,
): Schema {
  const { document } = context
  const { operation, item } = one
  const method = one.method.toUpperCase()
  if (method === 'OPTIONS' || method === 'TRACE')
    throw new Unusable(`is a ${method} request, which tools cannot make`)
  const inputs: Inputs = { properties: {}, required: [], path: new Map(), query: {}, headers: {} }
  addParameters(document, [item, operation], inputs, notes)
  const sent = method === 'GET' || method === 'HEAD' ? {} : bodyOf(document, operation, inputs, notes)
  const set = new Set(Object.keys(context.headers).map((header) => header.toLowerCase()))
  const security = set.has('authorization')
    ? { headers: {}, query: {} }
    : securityOf(document, operation, notes)
  if (operation['deprecated'] === true) notes.add('The document marks the operation as deprecated.')
  return {
    name,
    description: descriptionOf(one, method),
    input_schema: {
      type: 'object',
      properties: inputs.properties,
      ...(inputs.required.length > 0 ? { required: inputs.required } : {}),
      additionalProperties: false,
    },
    request: {
      method,
      url: serverOf(context, one) + pathOf(one, inputs),
      query: { ...inputs.query, ...security.query },
      headers: { ...inputs.headers, ...security.headers, ...context.headers },
      ...sent,
    },
    group: context.group,
  }
}

function descriptionOf({ operation, path }: ChosenOperation, method: string): string {
  const texts = [textAt(operation, 'summary'), textAt(operation, 'description')].flatMap(
    (text) => text?.trim() || [],
  )
  const [first = '', second = ''] = texts
  const summary = second.startsWith(first)
    ? second || first
    : [first, second].filter((text) => text !== '').join('\n')
  return cutText(summary === '' ? `${method} ${path}` : summary, OPENAPI_DESCRIPTION_MAX_CHARS)
}

function serverOf({ server, document }: ImportContext, { item, operation }: ChosenOperation): string {
  if (server !== null) return server.replace(/\/+$/, '')
  const owner = [operation, item, document].find((one) => listAt(one, 'servers').length > 0)
  const first = owner ? listAt(owner, 'servers')[0] : null
  const url = isObject(first) ? textAt(first, 'url') : null
  if (!isObject(first) || url === null) throw new Unusable('has no server; set one for the import')
  const variables = isObject(first['variables']) ? first['variables'] : {}
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, variable: string) => {
    const summary = Object.hasOwn(variables, variable) ? variables[variable] : null
    return (isObject(summary) ? textAt(summary, 'default') : null) ?? whole
  })
  if (!/^https?:\/\//.test(filled))
    throw new Unusable(
      `has the server ${cutText(filled, 80)}, which has no host; set a server for the import`,
    )
  return filled.replace(/\/+$/, '')
}

function pathOf({ path }: ChosenOperation, inputs: Inputs): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const field = inputs.path.get(name)
    if (field === undefined)
      throw new Unusable(`has {${cutText(name, 80)}} in its path but no parameter of that name`)
    return `{{input.${field}}}`
  })
}

const FORM = 'application/x-www-form-urlencoded'

function bodyOf(document: Schema, operation: Schema, inputs: Inputs, notes: Set<string>): Schema {
  const body = objectAt(document, operation['requestBody'])
  if (!body) return {}
  const content = isObject(body['content']) ? body['content'] : {}
  const types = Object.keys(content)
  const json = types.find((type) =>
    /^(?:application\/json|[^;]+\+json|\*\/\*|application\/\*)(?:;|$)/.test(type),
  )
  const type =
    json ?? types.find((one) => one.startsWith(FORM)) ?? types.find((one) => one.startsWith('text/'))
  const required = body['required'] === true
  if (type === undefined) {
    const summary = cutText(types.join(', '), 100)
    if (required)
      throw new Unusable(`requires a body of type ${summary}, but only JSON, forms and text are supported`)
    if (types.length > 0) notes.add(`The body (${summary}) was omitted.`)
    return {}
  }
  const media = objectAt(document, content[type]) ?? {}
  const field = fieldName('body', inputs.properties)
  const schema = inlineSchema(document, media['schema'] ?? {}, notes)
  inputs.properties[field] = schema
  if (required) inputs.required.push(field)
  if (json !== undefined) {
    if (/\+json/.test(json)) inputs.headers['Content-Type'] = json
    return { body: `{{input.${field}}}`, body_type: 'json' }
  }
  if (!type.startsWith(FORM)) return { body: `{{input.${field}}}`, body_type: 'text' }
  return { body: formOf(schema, media, field), body_type: 'form' }
}

/** The templates of the known fields of a form. */
function formOf(schema: Schema, media: Schema, field: string): Readonly<Record<string, string>> {
  const encoding = isObject(media['encoding']) ? media['encoding'] : {}
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const made = Object.entries(properties)
    .filter(([name]) => /^[A-Za-z0-9_-]{1,64}$/.test(name))
    .map(([name, one]) => {
      const how = Object.hasOwn(encoding, name) ? encoding[name] : null
      const deep = isObject(how) && textAt(how, 'style') === 'deepObject'
      return fieldsOf(name, `${field}.${name}`, isObject(one) ? one : {}, deep)
    })
  return Object.assign({}, ...made)
}
