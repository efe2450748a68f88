// The one way of a tool's result into the transcript: bounded, and what others wrote in it cannot speak in our tags.

import { defuseTags, defuseTexts } from '../lib/framework-tags.ts'
import { cutText } from '../lib/text.ts'
import { TOOL_IMAGES_MAX, TOOL_IMAGES_MAX_CHARS, TOOL_RESULT_MAX_CHARS } from '../limits.ts'
import type { ImageBlock, TextBlock, ToolContent } from './message.ts'
import type { Frame } from './tool.ts'

/** What the base64 of a file of each kind that the API takes begins with. It refuses a request for one image that is none. */
const BEGINS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
}
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

type Part = string | ImageBlock

/** The same with each of its texts passed through `change`. */
export function withTexts(content: ToolContent, change: (text: string) => string): ToolContent {
  if (typeof content === 'string') return change(content)
  return content.map((block) => (block.type === 'text' ? { ...block, text: change(block.text) } : block))
}

/** What a person reads of it: its texts, and each image by its kind and size. */
export function readable(content: ToolContent): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : `[${named(block)}]`)).join('\n')
}

function named({ source: { media_type, data } }: ImageBlock): string {
  return `${cutText(media_type, 40)}, ${Math.floor((data.length * 3) / 4)} bytes`
}

/**
 * Texts share one bound; `frame` and `suffix` are our own words and stay whole. An image that the model cannot be given
 * becomes words in its place; `blind`: why it can be given none.
 */
export function boundedResult(
  content: ToolContent,
  { before, after }: Frame,
  suffix: string,
  blind: string | null,
): ToolContent {
  const parts = typeof content === 'string' ? [content] : partsOf(content, blind)
  const texts = defuseTexts(
    parts.filter((part) => typeof part === 'string').map((part) => part.toWellFormed()),
  )
  const room = Math.max(0, TOOL_RESULT_MAX_CHARS - before.length - after.length)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const note = length > room ? `\n[cut: ${length} characters in all]` : ''
  const kept = length > room ? cutAll(texts, room) : texts
  let next = 0
  const shown = [before, ...parts.map((part) => (typeof part === 'string' ? (kept[next++] ?? '') : part))]
  const all = [...shown, note + after + suffix]
  if (typeof content === 'string') return all.filter((part) => typeof part === 'string').join('')
  // The API refuses a text that is blank.
  return all
    .filter((part) => typeof part !== 'string' || part.trim() !== '')
    .map((part): TextBlock | ImageBlock => (typeof part === 'string' ? { type: 'text', text: part } : part))
}

function cutAll(texts: readonly string[], room: number): readonly string[] {
  let left = room
  return texts.map((text) => {
    // A cut may end a word so that it has become a tag.
    const kept = text.length <= left ? text : left === 0 ? '' : defuseTags(cutText(text, left))
    left = Math.max(0, left - text.length)
    return kept
  })
}

/** Neighbouring texts are one: there are no more parts than images have room for. */
function partsOf(content: Exclude<ToolContent, string>, blind: string | null): readonly Part[] {
  const parts: Part[] = []
  let images = 0
  let chars = 0
  for (const block of content) {
    let part: Part
    if (block.type === 'text') part = block.text
    else {
      const { data } = block.source
      const full = images >= TOOL_IMAGES_MAX || chars + data.length > TOOL_IMAGES_MAX_CHARS ? FULL : null
      const why = blind ?? fault(block) ?? full
      part = why === null ? block : `[An image (${named(block)}) was left out: ${why}.]`
      if (why === null) {
        images += 1
        chars += data.length
      }
    }
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, `${last}\n${part}`)
    else parts.push(part)
  }
  return parts
}

const FULL = `one result may hold ${TOOL_IMAGES_MAX} images of ${Math.floor((TOOL_IMAGES_MAX_CHARS * 3) / 4)} bytes together`

function fault({ source: { media_type, data } }: ImageBlock): string | null {
  const begins = BEGINS[media_type]
  if (begins === undefined) return 'only PNG, JPEG, GIF and WebP can be shown'
  if (data.startsWith(begins) && data.length % 4 === 0 && BASE64.test(data)) return null
  return `its data is no ${media_type} in base64`
}
