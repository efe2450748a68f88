// The only path of a tool's result into the transcript: bounds it, and escapes our tags in untrusted content.

import { defuseTags, defuseTexts } from '../lib/framework-tags.ts'
import { cutText } from '../lib/text.ts'
import { TOOL_IMAGES_MAX_CHARS } from '../limits/tools.ts'
import {
  STEP_IMAGES_MAX_CHARS,
  THREAD_IMAGES_MAX_CHARS,
  TOOL_IMAGES_MAX,
  TOOL_RESULT_MAX_CHARS,
} from './limits.ts'
import { imageFault } from './image.ts'
import {
  isFileImage,
  isImage,
  isCreatedFileImage,
  isText,
  type Block,
  type FileImageBlock,
  type ImageBlock,
  type TextBlock,
  type ToolContent,
} from './message.ts'
import type { TextFrame } from './tool.ts'

type Picture = ImageBlock | FileImageBlock
type Part = string | Picture

/** How many images fit, how much base64 they may have in total, and the text in place of one that does not fit. */
export interface ImageLimit {
  readonly images: number
  readonly chars: number
  /** Images in the thread's files use none of these characters: a row names them. */
  readonly inline: boolean
  readonly full: string
}

const RESULT_LIMIT: ImageLimit = {
  images: TOOL_IMAGES_MAX,
  chars: TOOL_IMAGES_MAX_CHARS,
  inline: true,
  full: `one result may contain ${TOOL_IMAGES_MAX} images of ${bytesOf(TOOL_IMAGES_MAX_CHARS)} bytes in total`,
}

/** No space at all, because of `why`. */
export function noImageSpace(why: string): readonly ImageLimit[] {
  return [{ images: 0, chars: 0, inline: false, full: why }]
}

/** How much space is left for images in one result, given this step's other results and the model request. */
export function imageLimits(step: readonly Block[], request: readonly Block[]): readonly ImageLimit[] {
  return [
    RESULT_LIMIT,
    {
      images: Infinity,
      chars: STEP_IMAGES_MAX_CHARS - charsOf(step.filter(isImage)),
      inline: true,
      full: `the results of one step may contain images of ${bytesOf(STEP_IMAGES_MAX_CHARS)} bytes in total. Call again in the next step`,
    },
    {
      images: TOOL_IMAGES_MAX - step.length - request.length,
      chars: THREAD_IMAGES_MAX_CHARS - charsOf(step) - charsOf(request),
      inline: false,
      full: `one thread may contain ${TOOL_IMAGES_MAX} images of ${bytesOf(THREAD_IMAGES_MAX_CHARS)} bytes in total`,
    },
  ]
}

function charsOf(images: readonly Block[]): number {
  return images.reduce((sum, image) => sum + sizeOf(image), 0)
}

/** In characters of base64. */
function sizeOf(image: Block): number {
  if (isImage(image)) return image.source.data.length
  return isFileImage(image) ? 4 * Math.ceil(image.source.bytes / 3) : 0
}

function bytesOf(chars: number): number {
  return Math.floor((chars * 3) / 4)
}

/** The result for display: its texts, and each image by its type and size. */
export function toDisplayText(content: ToolContent): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : `[${named(block)}]`)).join('\n')
}

function named(image: Picture): string {
  const where = isFileImage(image) ? `${image.source.path}, ` : ''
  return `${where}${cutText(image.source.media_type, 40)}, ${bytesOf(sizeOf(image))} bytes`
}

/**
 * Texts pass through `clean` and share one limit; `frame` and `suffix` are our own text and are never cut. A text
 * replaces an image that the model does not accept, and any block that is neither text nor image. Accepts whatever a
 * tool returned and never throws, because the tool already acted. Never empty: the API refuses an empty error.
 */
export function boundedResult(
  content: unknown,
  { before, after }: TextFrame,
  suffix: string,
  rooms: readonly ImageLimit[],
  clean: (text: string) => string = (text) => text,
): ToolContent {
  const parts =
    typeof content === 'string'
      ? [clean(content)]
      : partsOf(Array.isArray(content) ? content : [content], rooms, clean)
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
  // The API refuses a blank text.
  const nonBlank = all.filter((part) => typeof part !== 'string' || part.trim() !== '')
  if (typeof content === 'string')
    return nonBlank.length === 0 ? NO_OUTPUT : all.filter((part) => typeof part === 'string').join('')
  if (nonBlank.length === 0) return [{ type: 'text', text: NO_OUTPUT }]
  return nonBlank.map((part): TextBlock | Picture =>
    typeof part === 'string' ? { type: 'text', text: part } : part,
  )
}

const NO_OUTPUT = '[no output]'

function cutAll(texts: readonly string[], room: number): readonly string[] {
  let left = room
  return texts.map((text) => {
    // A cut may turn a word into a tag.
    const kept = text.length <= left ? text : left === 0 ? '' : defuseTags(cutText(text, left))
    left = Math.max(0, left - text.length)
    return kept
  })
}

/** Joins neighbouring texts, so that there are at most as many parts as images fit. */
function partsOf(
  content: readonly unknown[],
  rooms: readonly ImageLimit[],
  clean: (text: string) => string,
): readonly Part[] {
  const parts: Part[] = []
  let images = 0
  const chars = { all: 0, inline: 0 }
  for (const value of content) {
    const block = blockOf(value)
    let part: Part
    if (isText(block)) part = clean(block.text)
    else if (isCreatedFileImage(block) || isImage(block)) {
      const size = sizeOf(block)
      const inline = isImage(block) ? size : 0
      const fits = (room: ImageLimit): boolean =>
        images < room.images && (room.inline ? chars.inline + inline : chars.all + size) <= room.chars
      const full = rooms.find((room) => !fits(room))?.full
      const why = full ?? (isImage(block) ? imageFault(block) : null)
      part = why === null ? plain(block) : `[An image (${named(block)}) was left out: ${why}.]`
      if (why === null) {
        images += 1
        chars.all += size
        chars.inline += inline
      }
    } else part = `[a ${cutText(block.type, 40)} block was left out]`
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, `${last}\n${part}`)
    else parts.push(part)
  }
  return parts
}

/** Without fields that others added. */
function plain(image: Picture): Picture {
  if (!isImage(image)) return image
  const { media_type, data } = image.source
  return { type: 'image', source: { type: 'base64', media_type, data } }
}

function blockOf(value: unknown): Block {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : null
  // With a type it is a block; nothing else is known of it.
  return typeof type === 'string' ? (value as Block) : { type: 'unknown' }
}
