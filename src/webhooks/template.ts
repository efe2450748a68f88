// A hook's message template, which is checked when a hook is created and filled in for each delivery. Values
// from the body are untrusted content: they are fenced, cannot close their fence, and are never expanded
// again.

import { utf8 } from '../lib/bytes.ts'
import { closeTag, defuseTags, openTag } from '../lib/framework-tags.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { codePoints } from '../lib/text.ts'
import { JSON_MAX_DEPTH, MESSAGE_MAX_BYTES } from '../limits/requests.ts'
import { HOOK_PLACEHOLDERS_MAX, HOOK_TEMPLATE_MAX_CHARS } from './limits.ts'
import { parsePayload, textAtPath } from './schemes/payload.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const PATH = /^[^\s.]+(?:\.[^\s.]+)*$/
const OPEN = openTag('webhook_payload')
const CLOSE = closeTag('webhook_payload')

type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `key` is the path, or empty for the whole body. */
  | { readonly kind: 'value'; readonly key: string }

/** Why a template cannot be used, with the position and the fix; null if it can. */
export function checkTemplate(template: string): string | null {
  const parts = parse(template)
  return parts.ok ? null : parts.error
}

/**
 * Fills in the placeholders without fences, for a text that no model reads, such as the key of a thread. Empty if no placeholder has
 * a value; a body that is not JSON has none.
 */
export function renderPlain(template: string, body: string): string {
  const parts = parse(template)
  if (!parts.ok) return ''
  const payload = parsePayload(body)
  const texts = parts.value.map((part) => {
    if (part.kind === 'text') return { fixed: part.text, value: '' }
    const value = part.key === '' ? body : payload.ok ? textAtPath(payload.value, part.key.split('.')) : ''
    return { fixed: '', value: value.toWellFormed() }
  })
  if (texts.every(({ value }) => value === '')) return ''
  return texts.map(({ fixed, value }) => fixed + value).join('')
}

/**
 * Returns the message for a delivery, at most MESSAGE_MAX_BYTES of UTF-8. `{{payload}}` accepts any text.
 * `{{a.b.0}}` requires a JSON body; missing values are empty. The error says why this body cannot fill this
 * template.
 */
export function render(template: string, body: string): Result<string, string> {
  const parts = parse(template)
  if (!parts.ok) return parts
  const values = valuesOf(parts.value, body)
  if (!values.ok) return values
  const filled = fillAndFence(withoutEmptyValues(parts.value, values.value), values.value)
  return filled.trim() === '' ? err('the message is empty') : ok(filled)
}

function parse(template: string): Result<readonly Part[], string> {
  if (template.trim() === '') return err('is empty: write the message, with {{payload}} in place of the body')
  if (codePoints(template) > HOOK_TEMPLATE_MAX_CHARS)
    return err(`is longer than ${HOOK_TEMPLATE_MAX_CHARS} characters: shorten it`)
  if (!template.isWellFormed()) return err('is not well-formed Unicode: it contains half of a surrogate pair')
  const parts: Part[] = []
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const path = (match[1] ?? '').trim()
    const position = `on line ${template.slice(0, match.index).split('\n').length}`
    if (!PATH.test(path))
      return err(
        `has a malformed placeholder ${position}: write {{payload}} or a path such as {{data.items.0.name}}`,
      )
    if (path.split('.').length > JSON_MAX_DEPTH)
      return err(`has a path of more than ${JSON_MAX_DEPTH} steps ${position}`)
    parts.push(
      { kind: 'text', text: template.slice(end, match.index) },
      { kind: 'value', key: path === 'payload' ? '' : path },
    )
    end = match.index + match[0].length
  }
  parts.push({ kind: 'text', text: template.slice(end) })
  for (const part of parts)
    if (part.kind === 'text' && /\{\{|\}\}/.test(part.text))
      return err('has "{{" or "}}" that belongs to no placeholder: write {{payload}} or {{path.to.value}}')
  if (parts.length > 2 * HOOK_PLACEHOLDERS_MAX + 1)
    return err(`has more than ${HOOK_PLACEHOLDERS_MAX} placeholders: use {{payload}} for the whole body`)
  return ok(parts)
}

// The value of each placeholder, by path. A repeated path is read once.
function valuesOf(parts: readonly Part[], body: string): Result<ReadonlyMap<string, string>, string> {
  const values = new Map<string, string>()
  let payload: Result<unknown, string> | null = null
  for (const part of parts) {
    if (part.kind === 'text') continue
    const { key } = part
    if (values.has(key)) continue
    let value = body
    if (key !== '') {
      payload ??= parsePayload(body)
      if (!payload.ok) return err(`${payload.error}, and the template needs {{${key}}} from it`)
      value = textAtPath(payload.value, key.split('.'))
    }
    values.set(key, defuseTags(value.toWellFormed()))
  }
  return ok(values)
}

// Removes placeholders without a value. The text on both sides is then joined and may form a tag, so it is
// escaped again.
function withoutEmptyValues(parts: readonly Part[], values: ReadonlyMap<string, string>): readonly Part[] {
  const kept: Part[] = []
  for (const part of parts) {
    const last = kept.at(-1)
    if (part.kind === 'value' && values.get(part.key) === '') continue
    if (part.kind === 'text' && last?.kind === 'text')
      kept[kept.length - 1] = { kind: 'text', text: last.text + part.text }
    else kept.push(part)
  }
  return kept.map((part) => (part.kind === 'text' ? { kind: 'text', text: defuseTags(part.text) } : part))
}

// The template and the fences are kept in full; only the longest values are cut.
function fillAndFence(parts: readonly Part[], values: ReadonlyMap<string, string>): string {
  let bytesLeft = MESSAGE_MAX_BYTES
  const sizes: number[] = []
  const bytes = new Map(Array.from(values, ([key, value]) => [key, utf8(value)]))
  for (const part of parts) {
    bytesLeft -= part.kind === 'text' ? utf8(part.text).length : OPEN.length + CLOSE.length
    if (part.kind === 'value') sizes.push(bytes.get(part.key)?.length ?? 0)
  }
  const share = fairShare(sizes, bytesLeft)
  const fencedValue = ({ key }: Extract<Part, { kind: 'value' }>): string => {
    const encoded = bytes.get(key) ?? new Uint8Array()
    return OPEN + (encoded.length <= share ? (values.get(key) ?? '') : cutValue(encoded, share)) + CLOSE
  }
  return parts.map((part) => (part.kind === 'text' ? part.text : fencedValue(part))).join('')
}

// The maximum number of bytes per value with which all values fit into `bytesLeft`: short values leave their
// share to long ones.
function fairShare(sizes: readonly number[], bytesLeft: number): number {
  let left = bytesLeft
  let share = left
  sizes
    .toSorted((a, b) => a - b)
    .forEach((size, index) => {
      share = Math.floor(left / (sizes.length - index))
      left -= Math.min(size, share)
    })
  return share
}

// Cuts at a code point and says how many bytes are missing; that note is included in the limit. A cut may
// turn a word into a tag, so the text is escaped again, and three bytes are reserved for that.
function cutValue(encoded: Uint8Array, max: number): string {
  const mark = (left: number): string => `\n[cut here: the body had ${left} more bytes]`
  let end = Math.max(0, max - 3 - utf8(mark(encoded.length)).length)
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--
  const kept = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(encoded.subarray(0, end))
  return defuseTags(kept) + mark(encoded.length - end)
}
