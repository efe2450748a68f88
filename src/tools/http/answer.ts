// The result of an HTTP call for the model: its status, a few headers, and its body as text, selected or cut as the
// definition says. Everything passes through `mask` before it is cut.

import type { ToolResult } from '../../agent/tool.ts'
import { valueAt } from '../../lib/json-pointer.ts'
import { decodeText } from '../../lib/charset.ts'
import { ok, err, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { HTTP_TOOL_HEADER_SHOWN_CHARS, HTTP_TOOL_REFUSAL_CHARS } from './limits.ts'
import type { GuardedResponse } from '../../net/fetch.ts'
import type { HttpToolDefinition } from './shape.ts'

/** Headers that say what to do next. */
const SHOWN = ['location', 'retry-after', 'link']
/** Headers for an answer without a body. */
const OF_HEAD = [...SHOWN, 'content-type', 'content-length', 'last-modified', 'etag']

type Mask = (text: string) => string

/** `maybe`: added if the server failed after it received a request with side effects. */
export function httpResult(
  definition: HttpToolDefinition,
  answer: GuardedResponse,
  mask: Mask,
  maybe: string,
): ToolResult {
  const { status } = answer
  const isError = status >= 400
  const names = definition.request.method === 'HEAD' ? OF_HEAD : SHOWN
  const headers = names.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [`${name}: ${cutText(mask(value), HTTP_TOOL_HEADER_SHOWN_CHARS)}`]
  })
  const body = isError ? refusal(answer, mask) : wanted(definition, answer, mask)
  const head = [`HTTP ${status}${isError ? refused(status) : ''}`, ...headers].join('\n')
  const content = [head, body, status >= 500 ? maybe : ''].filter((part) => part !== '').join('\n\n')
  return { content, isError, untrusted: [`http:${definition.name}`] }
}

function refused(status: number): string {
  if (status === 401 || status === 403) return ': the server did not authorize this call'
  if (status === 404) return ': the server found nothing there'
  if (status === 429) return ': too many requests to the server'
  return status >= 500 ? ': the server failed' : ': the server refused this call'
}

function refusal(answer: GuardedResponse, mask: Mask): string {
  const text = textOf(answer)
  return text.ok ? cut(mask(pretty(text.value)), HTTP_TOOL_REFUSAL_CHARS) : text.error
}

function wanted({ request, response }: HttpToolDefinition, answer: GuardedResponse, mask: Mask): string {
  if (request.method === 'HEAD') return ''
  if (answer.body.length === 0) return 'The answer has no content.'
  const text = textOf(answer)
  if (!text.ok) return text.error
  const shown = mask(response.pick.length > 0 ? picked(text.value, response.pick) : pretty(text.value))
  const end = answer.cut
    ? `\n[cut: the answer is longer than ${answer.body.length} bytes; the rest was not read]`
    : ''
  return (response.max_chars === null ? shown : cut(shown, response.max_chars)) + end
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text.slice(0, max).toWellFormed()}\n[cut: ${text.length} characters in all]`
}

const TEXT =
  /^(?:text\/.*|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|graphql|x-www-form-urlencoded)|.*\+(?:json|xml|yaml))$/

/** The body as text; a body without a type counts as text if its bytes do. */
function textOf({ headers, body }: GuardedResponse): Result<string, string> {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== '' && !TEXT.test(type))
    return err(`The answer is ${cutText(type, 100)}, ${body.length} bytes, and is not shown.`)
  const charset =
    parameters
      .find((one) => one.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? null
  const text = decodeText(body, [charset])
  return type === '' && text.includes('\0')
    ? err(`The answer is not text: ${body.length} bytes without a type.`)
    : ok(text)
}

/** JSON indented; other text unchanged. */
function pretty(text: string): string {
  const json = parsed(text)
  return json.ok ? written(json.value) : text
}

/** Parsing accepts any depth, but serialization only some thousands of levels. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return 'The answer is JSON that is nested too deep to be shown.'
  }
}

/** With any content type: many servers send JSON as text. */
function parsed(text: string): Result<unknown, null> {
  if (!/^\s*[[{]/.test(text)) return err(null)
  try {
    return ok(JSON.parse(text))
  } catch {
    return err(null)
  }
}

function picked(text: string, pointers: readonly string[]): string {
  const json = parsed(text)
  if (!json.ok) return `The answer is not JSON, so nothing could be selected from it:\n${text}`
  const found = pointers.map((pointer) => [pointer, valueAt(json.value, pointer)] as const)
  const missing = found.filter(([, value]) => value === undefined).map(([pointer]) => pointer)
  const there = found.filter(([, value]) => value !== undefined)
  const note = missing.length > 0 ? `\n[not in the answer: ${missing.join(', ')}]` : ''
  const [only] = there
  const shown = pointers.length === 1 && only ? only[1] : Object.fromEntries(there)
  return written(shown) + note
}
