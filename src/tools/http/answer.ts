// Turns an HTTP response into a result for the model: the status, a few headers, and the body as text, from which the
// definition may select parts. Secrets are masked before anything is cut.

import type { ToolResult } from '../../agent/tool.ts'
import { valueAt } from '../../lib/json-pointer.ts'
import { decodeText } from '../../lib/charset.ts'
import { ok, err, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { HTTP_TOOL_HEADER_MAX_CHARS, HTTP_TOOL_ERROR_BODY_MAX_CHARS } from './limits.ts'
import type { GuardedResponse } from '../../net/fetch.ts'
import type { HttpToolDefinition } from './shape.ts'

/** Headers that tell the model what to do next. */
const SHOWN_HEADERS = ['location', 'retry-after', 'link']
/** Headers shown for a HEAD request, whose response has no body. */
const HEAD_SHOWN_HEADERS = [...SHOWN_HEADERS, 'content-type', 'content-length', 'last-modified', 'etag']

type Mask = (text: string) => string

/** `outcomeNote` is added to a server error, because a request with side effects may have taken effect anyway. */
export function httpResult(
  definition: HttpToolDefinition,
  response: GuardedResponse,
  mask: Mask,
  outcomeNote: string,
): ToolResult & { readonly content: string } {
  const { status } = response
  const isError = status >= 400
  const names = definition.request.method === 'HEAD' ? HEAD_SHOWN_HEADERS : SHOWN_HEADERS
  const headers = names.flatMap((name) => {
    const value = response.headers[name]
    return value === undefined ? [] : [`${name}: ${cutText(mask(value), HTTP_TOOL_HEADER_MAX_CHARS)}`]
  })
  const body = isError ? errorBody(response, mask) : successBody(definition, response, mask)
  const head = [`HTTP ${status}${isError ? statusMeaning(status) : ''}`, ...headers].join('\n')
  const content = [head, body, status >= 500 ? outcomeNote : ''].filter((part) => part !== '').join('\n\n')
  return { content, isError, untrusted: [`http:${definition.name}`] }
}

function statusMeaning(status: number): string {
  if (status === 401 || status === 403) return ': the server did not authorize this call'
  if (status === 404) return ': the server found nothing there'
  if (status === 429) return ': too many requests to the server'
  return status >= 500 ? ': the server failed' : ': the server rejected this call'
}

function errorBody(response: GuardedResponse, mask: Mask): string {
  const text = decodeBody(response)
  return text.ok ? cutBody(mask(indentJson(text.value)), HTTP_TOOL_ERROR_BODY_MAX_CHARS) : text.error
}

function successBody(
  { request, response: shownParts }: HttpToolDefinition,
  response: GuardedResponse,
  mask: Mask,
): string {
  if (request.method === 'HEAD') return ''
  if (response.body.length === 0) return 'The response is empty.'
  const text = decodeBody(response)
  if (!text.ok) return text.error
  const bodyText = mask(
    shownParts.pick.length > 0 ? selectParts(text.value, shownParts.pick) : indentJson(text.value),
  )
  const cutNote = response.cut
    ? `\n[cut: the response is longer than ${response.body.length} bytes; the remainder was not read]`
    : ''
  return (shownParts.max_chars === null ? bodyText : cutBody(bodyText, shownParts.max_chars)) + cutNote
}

function cutBody(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text.slice(0, max).toWellFormed()}\n[cut: ${text.length} characters in total]`
}

const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|graphql|x-www-form-urlencoded)|.*\+(?:json|xml|yaml))$/

/** The body as text. A body without a content type is treated as text unless it contains NUL. */
function decodeBody({ headers, body }: GuardedResponse): Result<string, string> {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== '' && !TEXT_TYPE.test(type))
    return err(`The response is not text, so it is not shown: ${cutText(type, 100)}, ${body.length} bytes.`)
  const charset =
    parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? null
  const text = decodeText(body, [charset])
  return type === '' && text.includes('\0')
    ? err(`The response is not text, so it is not shown: ${body.length} bytes without a content type.`)
    : ok(text)
}

/** Indents JSON; returns any other text unchanged. */
function indentJson(text: string): string {
  const json = parseJson(text)
  return json.ok ? serialize(json.value) : text
}

/** Serializes a value. Unlike parsing, this fails if the value nests several thousand levels deep. */
function serialize(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return 'The response is JSON that is nested too deeply to be shown.'
  }
}

/** Parses JSON whatever the content type, because many servers send JSON as text. */
function parseJson(text: string): Result<unknown, null> {
  if (!/^\s*[[{]/.test(text)) return err(null)
  try {
    return ok(JSON.parse(text))
  } catch {
    return err(null)
  }
}

function selectParts(text: string, pointers: readonly string[]): string {
  const json = parseJson(text)
  if (!json.ok) return `The response is not JSON, so nothing could be selected from it:\n${text}`
  const parts = pointers.map((pointer) => [pointer, valueAt(json.value, pointer)] as const)
  const missing = parts.filter(([, value]) => value === undefined).map(([pointer]) => pointer)
  const present = parts.filter(([, value]) => value !== undefined)
  const note = missing.length > 0 ? `\n[missing in the response: ${missing.join(', ')}]` : ''
  const [only] = present
  const shown = pointers.length === 1 && only ? only[1] : Object.fromEntries(present)
  return serialize(shown) + note
}
