// Checks the request of an HTTP tool's definition: the target must be fixed, every template must be valid, and secrets
// may appear only where they are allowed. render.ts also checks the input of each call.

import type { FieldError } from '../../lib/field-errors.ts'
import { isObject } from '../../lib/json-object.ts'
import type { HttpToolDefinition } from './shape.ts'
import { parseTemplate, textsOf, type TemplatePart } from './template.ts'
import { isFormText, isJsonText, isMixed, valuesInUrl } from './text-format.ts'

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that HTTP, the platform or the guarded fetch sets, and headers that imitate them. */
const RESERVED_HEADERS =
  /^(?:host|connection|keep-alive|content-length|content-encoding|transfer-encoding|te|trailer|upgrade|expect|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|cf-(?!access-client-).*|proxy-.*|sec-.*)$/i

/** Whether a definition may set this header. */
export function isSettableHeader(name: string): boolean {
  return TOKEN.test(name) && !RESERVED_HEADERS.test(name)
}

interface FixedTarget {
  /** `https://api.example.com`, in canonical form. */
  readonly origin: string
  readonly host: string
  /** A template that begins with the slash of the path. */
  readonly pathAndQuery: string
}

/** Splits a URL template into its fixed target and the remaining template. The error completes `<field> …`. */
export function fixedPart(
  url: string,
): { readonly ok: true; readonly value: FixedTarget } | { readonly ok: false; readonly error: string } {
  const fail = (error: string): { readonly ok: false; readonly error: string } => ({ ok: false, error })
  const match = /^(https?):\/\/([^/?#\\]*)(.*)$/s.exec(url)
  if (!match) return fail('must begin with https:// and a host, both without a template')
  const [, scheme = '', host = '', pathAndQuery = ''] = match
  if (/[{}]/.test(host))
    return fail('must not have a template in its host, because inputs must not choose the host')
  if (host.includes('@'))
    return fail('must not contain credentials before the host; use a header with {{secrets.NAME}}')
  let parsed: URL
  try {
    parsed = new URL(`${scheme}://${host}/`)
  } catch {
    return fail('has an invalid host')
  }
  return {
    ok: true,
    value: {
      origin: parsed.origin,
      host: parsed.host,
      pathAndQuery: pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`,
    },
  }
}

/** The errors of the request, each with its path. */
export function requestErrors(definition: HttpToolDefinition, secretsInUrl: boolean): readonly FieldError[] {
  const { request, request_secrets, input_schema } = definition
  const errors: FieldError[] = []
  const report = (path: string, message: string): void => {
    errors.push({ path, message })
  }
  const properties = isObject(input_schema['properties']) ? input_schema['properties'] : {}
  const usedSecrets = new Set<string>()
  const checkTemplate = (
    path: string,
    template: string,
    mayHaveSecrets: boolean,
    reason: string,
  ): readonly TemplatePart[] => {
    const parsed = parseTemplate(template)
    if (!parsed.ok) {
      report(path, parsed.error)
      return []
    }
    for (const part of parsed.value) {
      if (part.kind === 'input' && !Object.hasOwn(properties, part.path[0] ?? ''))
        report(
          path,
          `uses {{input.${part.path.join('.')}}}, but input_schema has no property ${part.path[0]}`,
        )
      if (part.kind !== 'secret') continue
      usedSecrets.add(part.name)
      if (!mayHaveSecrets) report(path, `may not contain {{secrets.${part.name}}}: ${reason}`)
    }
    return parsed.value
  }
  const secretInUrlReason =
    'servers log secrets in URLs. Move it into a header, or ask the operator to set SECRETS_IN_URL=on'
  const fixed = fixedPart(request.url)
  if (!fixed.ok) report('request.url', fixed.error)
  else {
    const { pathAndQuery } = fixed.value
    const parts = checkTemplate('request.url', pathAndQuery, secretsInUrl, secretInUrlReason)
    checkUrl(pathAndQuery, parts, report)
  }
  for (const [name, template] of Object.entries(request.query)) {
    const path = `request.query.${name}`
    checkNestedFormat(path, checkTemplate(path, template, secretsInUrl, secretInUrlReason), report)
  }
  for (const [name, template] of Object.entries(request.headers)) {
    const path = `request.headers.${name}`
    if (!TOKEN.test(name)) report(path, 'is not a valid header name')
    else if (RESERVED_HEADERS.test(name)) report(path, 'is set by Satchel or the platform; remove it')
    else if (/^idempotency-key$/i.test(name) && definition.effect === 'idempotent')
      report(path, 'is set by Satchel for tools with the effect "idempotent"; remove it')
    // Inputs are checked separately when they are filled in.
    if (!/^[\t -~]*$/.test(template)) report(path, 'must be visible ASCII')
    const parts = checkTemplate(path, template, true, '')
    checkNestedFormat(path, parts, report)
    if (/^content-type$/i.test(name) && parts.some(({ kind }) => kind === 'input'))
      report(path, 'must not contain an input, because it decides how the server reads the body')
  }
  if (definition.answer !== undefined && request.method === 'HEAD')
    report('answer', 'cannot be used with HEAD, whose result has no content')
  checkBody(definition, report)
  if (request.body !== null)
    for (const [names, template] of textsOf(request.body)) {
      const path = ['request.body', ...names].join('.')
      const parts = checkTemplate(path, template, false, 'move it into a header')
      if (request.body_type !== 'text') checkNestedFormat(path, parts, report)
    }
  for (const name of request_secrets)
    if (!usedSecrets.has(name))
      report('request_secrets', `names ${name}, but no header uses {{secrets.${name}}}`)
  return errors
}

type Report = (path: string, message: string) => void

function checkUrl(pathAndQuery: string, parts: readonly TemplatePart[], report: Report): void {
  const literal = parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('')
  if (pathAndQuery.includes('#')) report('request.url', 'must not have a fragment (#), which is never sent')
  else if (!/^[!-~]*$/.test(literal) || /[\\"<>^`{|}]/.test(literal))
    report(
      'request.url',
      'must be written as it is sent: percent-encode \\ " < > ^ ` { | } and everything except visible ASCII',
    )
  else if (isDotted(literal.split('?')[0] ?? ''))
    report('request.url', 'must not have . or .. as a segment of its path')
  for (const value of valuesInUrl(parts)) checkNestedFormat('request.url', value, report)
}

/** Reports JSON or a form inside a string, because the receiver would parse it again. */
function checkNestedFormat(path: string, parts: readonly TemplatePart[], report: Report): void {
  if (isJsonText(parts) || isFormText(parts, false))
    report(
      path,
      'is JSON or a form inside a string, where an input could add fields; make the complete string one input',
    )
}

/** Whether a segment of the path is `.` or `..`, in any spelling, which would lead to a different path. */
export function isDotted(path: string): boolean {
  return path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

function checkBody(
  { request: { method, headers, body_type, body } }: HttpToolDefinition,
  report: Report,
): void {
  if (body === null) return
  if (method === 'GET' || method === 'HEAD') report('request.body', `cannot be sent with ${method}`)
  else if (body_type === 'text' && typeof body !== 'string')
    report('request.body', 'must be a string if body_type is "text"')
  else if (body_type === 'text' && canAddFields(partsOf(body), headers))
    report(
      'request.body',
      'looks like JSON or a form inside a string, where an input could add fields; write it as a JSON value, or as an object with body_type "form"',
    )
  else if (body_type === 'form' && !isForm(body))
    report('request.body', 'must be an object of strings if body_type is "form"')
}

function isForm(body: unknown): boolean {
  return isObject(body) && Object.values(body).every((value) => typeof value === 'string')
}

/** Whether an input could add fields to the body with a quote, an ampersand, or the boundary of a multipart body. */
function canAddFields(
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
