// Converts one operation of an OpenAPI document to the definition of an HTTP tool, which the caller validates.

import { cutText } from '../../../lib/text.ts'
import { OPENAPI_DESCRIPTION_MAX_CHARS } from './limits.ts'
import { isObject } from '../../../lib/json-object.ts'
import type { Schema } from '../input-schema.ts'
import type { SelectedOperation } from './select-operations.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'
import { inlineSchema } from './inline.ts'
import { addParameters, fieldName, fieldsOf, type Inputs } from './parameters.ts'
import { securityOf } from './security.ts'

export interface ImportContext {
  readonly document: Schema
  /** The server of every request, or null to use the server in the document. */
  readonly server: string | null
  /** Headers of every request, which override those of the document. */
  readonly headers: Readonly<Record<string, string>>
  readonly group: string | null
}

/**
 * Adds to `notes` what was omitted and what the user still has to do. Throws Unusable if the operation cannot become a
 * tool.
 */
export function definitionOf(
  context: ImportContext,
  selected: SelectedOperation,
  name: string,
  notes: Set<string>,
): Schema {
  const { document } = context
  const { operation, pathItem } = selected
  const method = selected.method.toUpperCase()
  if (method === 'OPTIONS' || method === 'TRACE')
    throw new Unusable(`is a ${method} request, which tools cannot make`)
  const inputs: Inputs = { properties: {}, required: [], path: new Map(), query: {}, headers: {} }
  addParameters(document, [pathItem, operation], inputs, notes)
  const body = method === 'GET' || method === 'HEAD' ? {} : bodyOf(document, operation, inputs, notes)
  const setsAuthorization = Object.keys(context.headers).some(
    (header) => header.toLowerCase() === 'authorization',
  )
  const security = setsAuthorization ? { headers: {}, query: {} } : securityOf(document, operation, notes)
  if (operation['deprecated'] === true) notes.add('The document marks the operation as deprecated.')
  return {
    name,
    description: descriptionOf(selected, method),
    input_schema: {
      type: 'object',
      properties: inputs.properties,
      ...(inputs.required.length > 0 ? { required: inputs.required } : {}),
      additionalProperties: false,
    },
    request: {
      method,
      url: mcpServerOf(context, selected) + pathOf(selected, inputs),
      query: { ...inputs.query, ...security.query },
      headers: { ...inputs.headers, ...security.headers, ...context.headers },
      ...body,
    },
    group: context.group,
  }
}

function descriptionOf({ operation, path }: SelectedOperation, method: string): string {
  const texts = [textAt(operation, 'summary'), textAt(operation, 'description')].flatMap(
    (text) => text?.trim() || [],
  )
  const [first = '', second = ''] = texts
  const description = second.startsWith(first)
    ? second || first
    : [first, second].filter((text) => text !== '').join('\n')
  return cutText(description === '' ? `${method} ${path}` : description, OPENAPI_DESCRIPTION_MAX_CHARS)
}

function mcpServerOf(
  { server, document }: ImportContext,
  { pathItem, operation }: SelectedOperation,
): string {
  if (server !== null) return server.replace(/\/+$/, '')
  const owner = [operation, pathItem, document].find((object) => listAt(object, 'servers').length > 0)
  const firstServer = owner ? listAt(owner, 'servers')[0] : null
  const url = isObject(firstServer) ? textAt(firstServer, 'url') : null
  if (!isObject(firstServer) || url === null) throw new Unusable('has no server; set a server for the import')
  const variables = isObject(firstServer['variables']) ? firstServer['variables'] : {}
  const filled = url.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : null
    return (isObject(variable) ? textAt(variable, 'default') : null) ?? placeholder
  })
  if (!/^https?:\/\//.test(filled))
    throw new Unusable(
      `has the server ${cutText(filled, 80)}, which has no host; set a server for the import`,
    )
  return filled.replace(/\/+$/, '')
}

function pathOf({ path }: SelectedOperation, inputs: Inputs): string {
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
    json ?? types.find((name) => name.startsWith(FORM)) ?? types.find((name) => name.startsWith('text/'))
  const required = body['required'] === true
  if (type === undefined) {
    const shownTypes = cutText(types.join(', '), 100)
    if (required)
      throw new Unusable(`requires a body of type ${shownTypes}, but only JSON, forms and text are supported`)
    if (types.length > 0) notes.add(`The body (${shownTypes}) was omitted.`)
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
  const templates = Object.entries(properties)
    .filter(([name]) => /^[A-Za-z0-9_-]{1,64}$/.test(name))
    .map(([name, property]) => {
      const fieldEncoding = Object.hasOwn(encoding, name) ? encoding[name] : null
      const isDeep = isObject(fieldEncoding) && textAt(fieldEncoding, 'style') === 'deepObject'
      return fieldsOf(name, `${field}.${name}`, isObject(property) ? property : {}, isDeep)
    })
  return Object.assign({}, ...templates)
}
