// The rules for the request of an HTTP tool: its target is fixed, each template can be filled, and secrets appear only
// where allowed. Pure; render.ts checks each call's input again.

import type { FieldError } from '../../lib/field-errors.ts'
import { isObject } from './input-schema.ts'
import type { HttpToolDefinition } from './shape.ts'
import { parseTemplate, textsOf, type TemplatePart } from './template.ts'
import { isFormText, isJsonText, isMixed, valuesInUrl } from './text-format.ts'

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that HTTP, the platform or the guard writes, and those that imitate them. */
const OURS =
  /^(?:host|connection|keep-alive|content-length|content-encoding|transfer-encoding|te|trailer|upgrade|expect|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|cf-(?!access-client-).*|proxy-.*|sec-.*)$/i

interface Fixed {
  /** `https://api.example.com`, in canonical form. */
  readonly origin: string
  readonly host: string
  /** From the slash of the path on, a template. */
  readonly rest: string
}

/** The target of the request, whatever is filled in; the error follows the field's name. */
export function fixedPart(
  url: string,
): { readonly ok: true; readonly value: Fixed } | { readonly ok: false; readonly error: string } {
  const bad = (error: string): { readonly ok: false; readonly error: string } => ({ ok: false, error })
  const match = /^(https?):\/\/([^/?#\\]*)(.*)$/s.exec(url)
  if (!match) return bad('must begin with https:// and a host, both without a template')
  const [, scheme = '', host = '', rest = ''] = match
  if (/[{}]/.test(host)) return bad('must name its host without a template: inputs must not choose the host')
  if (host.includes('@'))
    return bad('must have no credentials before the host: use a header with {{secrets.NAME}}')
  let parsed: URL
  try {
    parsed = new URL(`${scheme}://${host}/`)
  } catch {
    return bad('has a host that does not exist')
  }
  return {
    ok: true,
    value: { origin: parsed.origin, host: parsed.host, rest: rest.startsWith('/') ? rest : `/${rest}` },
  }
}

/** The errors of the request, each with its path. A filled template may be any string. */
export function requestErrors(definition: HttpToolDefinition, secretsInUrl: boolean): readonly FieldError[] {
  const { request, request_secrets, input_schema } = definition
  const errors: FieldError[] = []
  const say = (path: string, message: string): void => {
    errors.push({ path, message })
  }
  const properties = isObject(input_schema['properties']) ? input_schema['properties'] : {}
  const used = new Set<string>()
  const look = (path: string, template: string, secrets: boolean, why: string): readonly TemplatePart[] => {
    const parsed = parseTemplate(template)
    if (!parsed.ok) {
      say(path, parsed.error)
      return []
    }
    for (const part of parsed.value) {
      if (part.kind === 'input' && !Object.hasOwn(properties, part.path[0] ?? ''))
        say(path, `uses {{input.${part.path.join('.')}}}, but input_schema has no property ${part.path[0]}`)
      if (part.kind !== 'secret') continue
      used.add(part.name)
      if (!secrets) say(path, `may not contain {{secrets.${part.name}}}: ${why}`)
    }
    return parsed.value
  }
  const inUrl =
    'servers log secrets in URLs; write it into a header, or let the operator set SECRETS_IN_URL=on'
  const fixed = fixedPart(request.url)
  if (!fixed.ok) say('request.url', fixed.error)
  else url(fixed.value.rest, look('request.url', fixed.value.rest, secretsInUrl, inUrl), say)
  for (const [name, template] of Object.entries(request.query)) {
    const path = `request.query.${name}`
    nested(path, look(path, template, secretsInUrl, inUrl), say)
  }
  for (const [name, template] of Object.entries(request.headers)) {
    const path = `request.headers.${name}`
    if (!TOKEN.test(name)) say(path, 'is not a valid header name')
    else if (OURS.test(name)) say(path, 'is written by Satchel or the platform: leave it out')
    else if (/^idempotency-key$/i.test(name) && definition.effect === 'idempotent')
      say(path, 'is written by Satchel for a tool whose effect is "idempotent": leave it out')
    // Inputs may contain other characters, which are checked when they are filled in.
    if (!/^[\t -~]*$/.test(template)) say(path, 'must be visible ASCII')
    const parts = look(path, template, true, '')
    nested(path, parts, say)
    if (/^content-type$/i.test(name) && parts.some(({ kind }) => kind === 'input'))
      say(path, 'may not contain an input: it decides how the server reads the body')
  }
  body(definition, say)
  if (request.body !== null)
    for (const [names, template] of textsOf(request.body)) {
      const path = ['request.body', ...names].join('.')
      const parts = look(path, template, false, 'write it into a header')
      if (request.body_type !== 'text') nested(path, parts, say)
    }
  for (const name of request_secrets)
    if (!used.has(name)) say('request_secrets', `names ${name}, but no header uses {{secrets.${name}}}`)
  return errors
}

type Say = (path: string, message: string) => void

function url(rest: string, parts: readonly TemplatePart[], say: Say): void {
  const literal = parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('')
  if (rest.includes('#')) say('request.url', 'must have no fragment (#): it is not sent')
  else if (!/^[!-~]*$/.test(literal) || /[\\"<>^`{|}]/.test(literal))
    say(
      'request.url',
      'must be written as it is sent: percent-encode everything except visible ASCII, and also \\ " < > ^ ` { | }',
    )
  else if (isDotted(literal.split('?')[0] ?? ''))
    say('request.url', 'must have no . or .. as a segment of its path')
  for (const value of valuesInUrl(parts)) nested('request.url', value, say)
}

/** JSON or a form inside of a text, a field or a header, which its receiver parses again. */
function nested(path: string, parts: readonly TemplatePart[], say: Say): void {
  if (isJsonText(parts) || isFormText(parts, false))
    say(
      path,
      'is JSON or a form written as a text, which an input could break out of: make the whole text one input',
    )
}

/** A segment of the path is `.` or `..`, in any spelling: it would name another path. */
export function isDotted(path: string): boolean {
  return path.split('/').some((step) => /^(?:\.|%2e){1,2}$/i.test(step))
}

function body({ request: { method, headers, body_type, body: sent } }: HttpToolDefinition, say: Say): void {
  if (sent === null) return
  if (method === 'GET' || method === 'HEAD') say('request.body', `cannot be sent with ${method}`)
  else if (body_type === 'text' && typeof sent !== 'string')
    say('request.body', 'must be a text if body_type is "text"')
  else if (body_type === 'text' && canBeBroken(partsOf(sent), headers))
    say(
      'request.body',
      'must be JSON, or an object with body_type "form", if that is its type or its form: in a text an input could break out',
    )
  else if (body_type === 'form' && !isForm(sent))
    say('request.body', 'must be an object of texts if body_type is "form"')
}

function isForm(sent: unknown): boolean {
  return isObject(sent) && Object.values(sent).every((value) => typeof value === 'string')
}

/** Whether an input can break out: with a quote, an ampersand, or the line that ends a part. */
function canBeBroken(
  parts: readonly TemplatePart[],
  headers: HttpToolDefinition['request']['headers'],
): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/json|x-www-form-urlencoded|multipart/i.test(type) && isMixed(parts)) return true
  return isJsonText(parts) || isFormText(parts, true)
}

function partsOf(sent: unknown): readonly TemplatePart[] {
  const parts = typeof sent === 'string' ? parseTemplate(sent) : null
  return parts?.ok === true ? parts.value : []
}
