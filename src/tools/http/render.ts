// Fills the request of an HTTP tool: the preview for a person, with names of secrets, and the request that is sent. An
// input never leaves the position of its template. Sends nothing.

import type { Preview } from '../../agent/approval.ts'
import { valueAtTokens } from '../../lib/json-pointer.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { HTTP_TOOL_TEXT_MAX_CHARS } from '../../limits/tools.ts'
import { HTTP_TOOL_SENT_URL_MAX_CHARS } from './limits.ts'
import type { Outgoing } from '../../net/fetch.ts'
import { isObject } from './input-schema.ts'
import { fixedPart, isDotted } from './request-rules.ts'
import type { HttpToolDefinition } from './shape.ts'
import { templateText, lonePath, parseTemplate, type TemplatePart } from './template.ts'

export interface Rendered {
  readonly preview: Preview
  /** Names of the required secrets, each once. */
  readonly secrets: readonly string[]
  /** The URL contains one of them. */
  readonly secretInUrl: boolean
  /** The target, as in a URL's `host`. */
  readonly host: string
  /** With the values of those secrets. Failure: a text that contains none of them. */
  outgoing(values: ReadonlyMap<string, string>): Result<Outgoing, string>
}

/** Why this input cannot be filled in. */
class Unfit extends Error {}

/** `input` has passed the tool's schema. Failure: a text for the model. */
export function renderRequest(definition: HttpToolDefinition, input: unknown): Result<Rendered, string> {
  const secrets = new Set<string>()
  let secretInUrl = false
  const shown = filled(definition, input, (name, position) => {
    secrets.add(name)
    secretInUrl ||= position === 'url'
    return `{{secrets.${name}}}`
  })
  if (!shown.ok) return shown
  const { host, ...request } = shown.value
  return ok({
    preview: { kind: 'tool', ...request, headers: { ...request.headers, ...keyShown(definition.effect) } },
    secrets: [...secrets],
    secretInUrl,
    host,
    outgoing: (values) => {
      const sent = filled(definition, input, (name, position) => {
        const value = values.get(name)
        if (value === undefined) throw new Unfit(`The secret ${name} is missing.`)
        return position === 'url' ? encoded(value) : value
      })
      if (!sent.ok) return sent
      const { method, url, headers, body } = sent.value
      return ok({ method, url, headers, body })
    },
  })
}

type Position = 'url' | 'header'
/** The text for a secret: its name in a preview, its value in a request. */
type Secret = (name: string, position: Position) => string
type Filled = Outgoing & { readonly host: string }

function filled(definition: HttpToolDefinition, input: unknown, secret: Secret): Result<Filled, string> {
  const { request } = definition
  try {
    const fill: Fill = { input, secret }
    const target = urlOf(definition, fill)
    const body = bodyOf(definition, fill)
    const headers = headersOf(definition, fill, body?.type ?? null)
    return ok({ method: request.method, ...target, headers, body: body?.text ?? null })
  } catch (error) {
    if (error instanceof Unfit) return err(error.message)
    throw error
  }
}

interface Fill {
  readonly input: unknown
  readonly secret: Secret
}

/** Templates of a definition were checked when it was read. */
function partsOf(template: string): readonly TemplatePart[] {
  const parts = parseTemplate(template)
  if (!parts.ok) throw new Unfit(`The tool's definition ${parts.error}.`)
  return parts.value
}

/** How each part of a template is written at its position. */
interface Write {
  readonly position: Position
  /** Text of the definition. */
  literal(text: string): string
  /** Text of the input. */
  value(text: string): string
}

function textOf(template: string, fill: Fill, write: Write): string {
  return partsOf(template)
    .map((part) => {
      if (part.kind === 'text') return write.literal(part.text)
      if (part.kind === 'secret') return fill.secret(part.name, write.position)
      return write.value(templateText(valueAtTokens(fill.input, part.path)))
    })
    .join('')
}

const same = (text: string): string => text
const IN_QUERY: Write = { position: 'url', literal: same, value: encoded }
const AS_FIELD: Write = { position: 'url', literal: encoded, value: encoded }
const AS_IT_IS: Write = { position: 'header', literal: same, value: same }

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function urlOf({ request }: HttpToolDefinition, fill: Fill): { readonly url: string; readonly host: string } {
  const fixed = fixedPart(request.url)
  if (!fixed.ok) throw new Unfit(`The tool's url ${fixed.error}.`)
  const { origin, host, rest } = fixed.value
  const ask = rest.indexOf('?')
  const path = ask < 0 ? rest : rest.slice(0, ask)
  const written = ask < 0 ? [] : [rest.slice(ask + 1)].filter((text) => text !== '')
  const steps = pathOf(path, fill)
  const query = written.map((text) => textOf(text, fill, IN_QUERY))
  for (const [name, template] of Object.entries(request.query))
    for (const value of fieldOf(template, fill, AS_FIELD)) query.push(`${encoded(name)}=${value}`)
  const url = origin + steps + (query.length > 0 ? `?${query.join('&')}` : '')
  if (url.length > HTTP_TOOL_SENT_URL_MAX_CHARS)
    throw new Unfit(
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
      if (value === '') throw new Unfit(`${part.path.join('.')} is missing: the path of the URL needs it.`)
      return encoded(value)
    })
    .join('')
  // Only these two have a meaning as a whole segment, and no encoding removes it.
  if (isDotted(path)) throw new Unfit('A segment of the URL would be "." or "..", which names another path.')
  return path
}

/** For a template that is one input: nothing without a value, and one entry for each item of a list. */
function fieldOf(template: string, fill: Fill, write: Write): readonly string[] {
  const path = lonePath(partsOf(template))
  if (path === null) return [textOf(template, fill, write)]
  const value = valueAtTokens(fill.input, path)
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((one) => write.value(templateText(one)))
}

const TYPES = {
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
  const has = (wanted: string): boolean =>
    Object.keys(request.headers).some((name) => name.toLowerCase() === wanted)
  if (!has('accept')) headers['Accept'] = 'application/json, text/*;q=0.9, */*;q=0.5'
  if (type !== null && !has('content-type')) headers['Content-Type'] = TYPES[type]
  for (const [name, template] of Object.entries(request.headers)) {
    const path = lonePath(partsOf(template))
    if (path !== null && (valueAtTokens(fill.input, path) ?? null) === null) continue
    headers[name] = textOf(template, fill, { ...AS_IT_IS, value: (text) => headerText(name, text) })
  }
  return headers
}

function headerText(name: string, text: string): string {
  if (!/^[\t -~]*$/.test(text))
    throw new Unfit(
      `The header ${name} accepts visible ASCII on one line, and its input contains something else.`,
    )
  if (text.length > HTTP_TOOL_TEXT_MAX_CHARS)
    throw new Unfit(`The header ${name} accepts at most ${HTTP_TOOL_TEXT_MAX_CHARS} characters.`)
  return text
}

function bodyOf(
  { request: { body, body_type } }: HttpToolDefinition,
  fill: Fill,
): { readonly text: string; readonly type: typeof body_type } | null {
  if (body === null) return null
  if (body_type === 'text') return { text: textOf(templateText(body), fill, AS_IT_IS), type: body_type }
  if (body_type === 'form') {
    const form = new URLSearchParams()
    for (const [name, template] of Object.entries(isObject(body) ? body : {}))
      for (const value of fieldOf(templateText(template), fill, AS_IT_IS))
        form.append(name, value.toWellFormed())
    return { text: form.toString(), type: body_type }
  }
  const json = jsonOf(body, fill)
  return json === undefined ? null : { text: JSON.stringify(json), type: body_type }
}

/** A text that is one input becomes its value; a field or item without a value is left out. */
function jsonOf(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') {
    const path = lonePath(partsOf(value))
    return path === null ? textOf(value, fill, AS_IT_IS) : valueAtTokens(fill.input, path)
  }
  if (Array.isArray(value)) return value.map((one) => jsonOf(one, fill)).filter((one) => one !== undefined)
  if (!isObject(value)) return value
  const made = Object.entries(value).map(([name, one]) => [name, jsonOf(one, fill)] as const)
  return Object.fromEntries(made.filter(([, one]) => one !== undefined))
}

/** The header that Satchel adds, as a text: the key belongs to the call, and is the same for each of its tries. */
function keyShown(effect: HttpToolDefinition['effect']): Readonly<Record<string, string>> {
  return effect === 'idempotent' ? { 'Idempotency-Key': '(of this call)' } : {}
}
