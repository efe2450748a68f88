// Fills in the templates of an HTTP tool's request, once as a preview that shows the names of secrets, and once as the
// request to send. An input cannot change any part of the request outside its template.

import type { Preview } from '../../agent/approval.ts'
import { valueAtTokens } from '../../lib/json-pointer.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { HTTP_TOOL_TEXT_MAX_CHARS } from '../../limits/tools.ts'
import { HTTP_TOOL_SENT_URL_MAX_CHARS } from './limits.ts'
import type { Outgoing } from '../../net/fetch.ts'
import { isObject } from '../../lib/json-object.ts'
import { fixedPart, isDotted } from './request-rules.ts'
import type { HttpToolDefinition } from './shape.ts'
import { templateText, lonePath, parseTemplate, type TemplatePart } from './template.ts'

export interface Rendered {
  readonly preview: Preview
  /** The names of the required secrets, without duplicates. */
  readonly secrets: readonly string[]
  /** Whether the URL contains a secret. */
  readonly secretInUrl: boolean
  /** The target, in the form of `URL.host`. */
  readonly host: string
  /** The request with the values of the secrets. The error message contains no secret values. */
  outgoing(values: ReadonlyMap<string, string>): Result<Outgoing, string>
}

/** Thrown with the reason if an input cannot be filled in. */
class UnusableInput extends Error {}

/** `input` has passed the tool's schema. The error is a message for the model. */
export function renderRequest(definition: HttpToolDefinition, input: unknown): Result<Rendered, string> {
  const secrets = new Set<string>()
  let secretInUrl = false
  const preview = fillRequest(definition, input, (name, position) => {
    secrets.add(name)
    secretInUrl ||= position === 'url'
    return `{{secrets.${name}}}`
  })
  if (!preview.ok) return preview
  const { host, ...request } = preview.value
  return ok({
    preview: {
      kind: 'tool',
      ...request,
      headers: { ...request.headers, ...previewKeyHeader(definition.effect) },
    },
    secrets: [...secrets],
    secretInUrl,
    host,
    outgoing: (values) => {
      const sent = fillRequest(definition, input, (name, position) => {
        const value = values.get(name)
        if (value === undefined) throw new UnusableInput(`The secret ${name} is missing.`)
        return position === 'url' ? encodeText(value) : value
      })
      if (!sent.ok) return sent
      const { method, url, headers, body } = sent.value
      return ok({ method, url, headers, body })
    },
  })
}

type Position = 'url' | 'header'
/** Returns the text for a secret: its name in a preview, or its value in a request. */
type SecretText = (name: string, position: Position) => string
type FilledRequest = Outgoing & { readonly host: string }

function fillRequest(
  definition: HttpToolDefinition,
  input: unknown,
  secret: SecretText,
): Result<FilledRequest, string> {
  const { request } = definition
  try {
    const fill: Fill = { input, secret }
    const target = urlOf(definition, fill)
    const body = bodyOf(definition, fill)
    const headers = headersOf(definition, fill, body?.type ?? null)
    return ok({ method: request.method, ...target, headers, body: body?.text ?? null })
  } catch (error) {
    if (error instanceof UnusableInput) return err(error.message)
    throw error
  }
}

interface Fill {
  readonly input: unknown
  readonly secret: SecretText
}

/** Parses a template of the definition. It was checked when the definition was parsed, so errors are not expected. */
function partsOf(template: string): readonly TemplatePart[] {
  const parts = parseTemplate(template)
  if (!parts.ok) throw new UnusableInput(`The tool's definition ${parts.error}.`)
  return parts.value
}

/** How the parts of a template are encoded at their position in the request. */
interface Encoding {
  readonly position: Position
  /** Encodes text from the definition. */
  literal(text: string): string
  /** Encodes text from the input. */
  value(text: string): string
}

function textOf(template: string, fill: Fill, encoding: Encoding): string {
  return partsOf(template)
    .map((part) => {
      if (part.kind === 'text') return encoding.literal(part.text)
      if (part.kind === 'secret') return fill.secret(part.name, encoding.position)
      return encoding.value(templateText(valueAtTokens(fill.input, part.path)))
    })
    .join('')
}

const identity = (text: string): string => text
const QUERY_TEXT: Encoding = { position: 'url', literal: identity, value: encodeText }
const QUERY_FIELD: Encoding = { position: 'url', literal: encodeText, value: encodeText }
const UNENCODED: Encoding = { position: 'header', literal: identity, value: identity }

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function urlOf({ request }: HttpToolDefinition, fill: Fill): { readonly url: string; readonly host: string } {
  const fixed = fixedPart(request.url)
  if (!fixed.ok) throw new UnusableInput(`The tool's url ${fixed.error}.`)
  const { origin, host, pathAndQuery } = fixed.value
  const queryMark = pathAndQuery.indexOf('?')
  const pathTemplate = queryMark < 0 ? pathAndQuery : pathAndQuery.slice(0, queryMark)
  const queryTemplate = queryMark < 0 ? '' : pathAndQuery.slice(queryMark + 1)
  const path = pathOf(pathTemplate, fill)
  const query = queryTemplate === '' ? [] : [textOf(queryTemplate, fill, QUERY_TEXT)]
  for (const [name, template] of Object.entries(request.query))
    for (const value of fieldValues(template, fill, QUERY_FIELD)) query.push(`${encodeText(name)}=${value}`)
  const url = origin + path + (query.length > 0 ? `?${query.join('&')}` : '')
  if (url.length > HTTP_TOOL_SENT_URL_MAX_CHARS)
    throw new UnusableInput(
      `The URL would have ${url.length} characters; the limit is ${HTTP_TOOL_SENT_URL_MAX_CHARS}.`,
    )
  return { url, host }
}

function pathOf(template: string, { input, secret }: Fill): string {
  const path = partsOf(template)
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'secret') return secret(part.name, 'url')
      const value = templateText(valueAtTokens(input, part.path))
      if (value === '')
        throw new UnusableInput(`${part.path.join('.')} is missing, but the path of the URL requires it.`)
      return encodeText(value)
    })
    .join('')
  // These two segments change the path even if they are percent-encoded.
  if (isDotted(path))
    throw new UnusableInput(
      'A segment of the URL would be "." or "..", which would lead to a different path.',
    )
  return path
}

/**
 * The values of a field. A template that consists of a single input has no value if the input is missing, and one value
 * for each item if the input is a list.
 */
function fieldValues(template: string, fill: Fill, encoding: Encoding): readonly string[] {
  const path = lonePath(partsOf(template))
  if (path === null) return [textOf(template, fill, encoding)]
  const value = valueAtTokens(fill.input, path)
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((item) => encoding.value(templateText(item)))
}

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
}

function headersOf(
  { request }: HttpToolDefinition,
  fill: Fill,
  type: HttpToolDefinition['request']['body_type'] | null,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const setsHeader = (searchedName: string): boolean =>
    Object.keys(request.headers).some((name) => name.toLowerCase() === searchedName)
  if (!setsHeader('accept')) headers['Accept'] = 'application/json, text/*;q=0.9, */*;q=0.5'
  if (type !== null && !setsHeader('content-type')) headers['Content-Type'] = CONTENT_TYPES[type]
  for (const [name, template] of Object.entries(request.headers)) {
    const path = lonePath(partsOf(template))
    if (path !== null && (valueAtTokens(fill.input, path) ?? null) === null) continue
    headers[name] = textOf(template, fill, { ...UNENCODED, value: (text) => headerText(name, text) })
  }
  return headers
}

function headerText(name: string, text: string): string {
  if (!/^[\t -~]*$/.test(text))
    throw new UnusableInput(
      `The header ${name} accepts only visible ASCII on one line, but its input contains other characters.`,
    )
  if (text.length > HTTP_TOOL_TEXT_MAX_CHARS)
    throw new UnusableInput(`The header ${name} accepts at most ${HTTP_TOOL_TEXT_MAX_CHARS} characters.`)
  return text
}

function bodyOf(
  { request: { body, body_type } }: HttpToolDefinition,
  fill: Fill,
): { readonly text: string; readonly type: typeof body_type } | null {
  if (body === null) return null
  if (body_type === 'text') return { text: textOf(templateText(body), fill, UNENCODED), type: body_type }
  if (body_type === 'form') {
    const form = new URLSearchParams()
    for (const [name, template] of Object.entries(isObject(body) ? body : {}))
      for (const value of fieldValues(templateText(template), fill, UNENCODED))
        form.append(name, value.toWellFormed())
    return { text: form.toString(), type: body_type }
  }
  const json = jsonOf(body, fill)
  return json === undefined ? null : { text: JSON.stringify(json), type: body_type }
}

/** Fills in JSON. A string that consists of a single input becomes the input's value. Omits fields and items without a value. */
function jsonOf(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') {
    const path = lonePath(partsOf(value))
    return path === null ? textOf(value, fill, UNENCODED) : valueAtTokens(fill.input, path)
  }
  if (Array.isArray(value))
    return value.map((item) => jsonOf(item, fill)).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, jsonOf(field, fill)] as const)
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

/** The Idempotency-Key header as the preview shows it. The real key differs for each call, but not for its retries. */
function previewKeyHeader(effect: HttpToolDefinition['effect']): Readonly<Record<string, string>> {
  return effect === 'idempotent' ? { 'Idempotency-Key': '(of this call)' } : {}
}
