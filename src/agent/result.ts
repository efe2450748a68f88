// Prepares tool results for the transcript: limits their size and escapes our own tags in untrusted content. Every result passes
// through here.

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

/** A limit on images: how many, and how many characters of base64 in total. */
export interface ImageLimit {
  readonly images: number
  readonly chars: number
  /** True if `chars` counts only images with inline data, and not images in the thread's files. */
  readonly inline: boolean
  /** Why an image over this limit was left out, as part of a sentence for the model. */
  readonly reason: string
}

const RESULT_LIMIT: ImageLimit = {
  images: TOOL_IMAGES_MAX,
  chars: TOOL_IMAGES_MAX_CHARS,
  inline: true,
  reason: `one result may contain at most ${TOOL_IMAGES_MAX} images and ${bytesOf(TOOL_IMAGES_MAX_CHARS)} bytes of images`,
}

/** Limits that allow no images at all, for this reason. */
export function noImageSpace(reason: string): readonly ImageLimit[] {
  return [{ images: 0, chars: 0, inline: false, reason }]
}

/** The limits on images in one result, given the images in this step's other results and in the model request. */
export function imageLimits(step: readonly Block[], request: readonly Block[]): readonly ImageLimit[] {
  return [
    RESULT_LIMIT,
    {
      images: Infinity,
      chars: STEP_IMAGES_MAX_CHARS - charsOf(step.filter(isImage)),
      inline: true,
      reason: `the results of one step may contain at most ${bytesOf(STEP_IMAGES_MAX_CHARS)} bytes of images. Call the tool again in the next step`,
    },
    {
      images: TOOL_IMAGES_MAX - step.length - request.length,
      chars: THREAD_IMAGES_MAX_CHARS - charsOf(step) - charsOf(request),
      inline: false,
      reason: `one thread may contain at most ${TOOL_IMAGES_MAX} images and ${bytesOf(THREAD_IMAGES_MAX_CHARS)} bytes of images`,
    },
  ]
}

function charsOf(images: readonly Block[]): number {
  return images.reduce((sum, image) => sum + base64Chars(image), 0)
}

/** The size of an image in characters of base64. */
function base64Chars(image: Block): number {
  if (isImage(image)) return image.source.data.length
  return isFileImage(image) ? 4 * Math.ceil(image.source.bytes / 3) : 0
}

function bytesOf(chars: number): number {
  return Math.floor((chars * 3) / 4)
}

/** The result as text for display, with the type and size of each image in place of the image. */
export function toDisplayText(content: ToolContent): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : `[${describeImage(block)}]`)).join('\n')
}

function describeImage(image: Picture): string {
  const path = isFileImage(image) ? `${image.source.path}, ` : ''
  return `${path}${cutText(image.source.media_type, 40)}, ${bytesOf(base64Chars(image))} bytes`
}

/**
 * A tool result within all limits. Its texts pass through `clean` and share one limit; the frame and `suffix`
 * are Satchel's own text and are never truncated. A note replaces each image that the model does not accept,
 * and each block that is neither text nor image. Accepts anything a tool returns and never throws, because
 * the tool has already acted. The result is never empty, because the API refuses empty errors.
 */
export function limitResult(
  content: unknown,
  { before, after }: TextFrame,
  suffix: string,
  limits: readonly ImageLimit[],
  clean: (text: string) => string = (text) => text,
): ToolContent {
  const parts =
    typeof content === 'string'
      ? [clean(content)]
      : partsOf(Array.isArray(content) ? content : [content], limits, clean)
  const texts = defuseTexts(
    parts.filter((part) => typeof part === 'string').map((part) => part.toWellFormed()),
  )
  const maxChars = Math.max(0, TOOL_RESULT_MAX_CHARS - before.length - after.length)
  const totalChars = texts.reduce((sum, text) => sum + text.length, 0)
  const note = totalChars > maxChars ? `\n[cut: ${totalChars} characters in all]` : ''
  const boundedTexts = totalChars > maxChars ? truncateTexts(texts, maxChars) : texts
  let nextText = 0
  const body = parts.map((part) => (typeof part === 'string' ? (boundedTexts[nextText++] ?? '') : part))
  const framedParts = [before, ...body, note + after + suffix]
  // The API refuses blank text blocks.
  const nonBlank = framedParts.filter((part) => typeof part !== 'string' || part.trim() !== '')
  if (typeof content === 'string')
    return nonBlank.length === 0 ? NO_OUTPUT : framedParts.filter((part) => typeof part === 'string').join('')
  if (nonBlank.length === 0) return [{ type: 'text', text: NO_OUTPUT }]
  return nonBlank.map((part): TextBlock | Picture =>
    typeof part === 'string' ? { type: 'text', text: part } : part,
  )
}

const NO_OUTPUT = '[no output]'

/** Keeps the first `maxChars` characters of the texts together. */
function truncateTexts(texts: readonly string[], maxChars: number): readonly string[] {
  let remaining = maxChars
  return texts.map((text) => {
    // Truncation may turn a word into a tag.
    const truncated =
      text.length <= remaining ? text : remaining === 0 ? '' : defuseTags(cutText(text, remaining))
    remaining = Math.max(0, remaining - text.length)
    return truncated
  })
}

/**
 * The texts and accepted images of a result. Adjacent texts are joined, so that the limit on images also
 * limits the number of texts.
 */
function partsOf(
  content: readonly unknown[],
  limits: readonly ImageLimit[],
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
      const size = base64Chars(block)
      const inline = isImage(block) ? size : 0
      const isWithin = (limit: ImageLimit): boolean =>
        images < limit.images && (limit.inline ? chars.inline + inline : chars.all + size) <= limit.chars
      const exceeded = limits.find((limit) => !isWithin(limit))?.reason
      const problem = exceeded ?? (isImage(block) ? imageFault(block) : null)
      part =
        problem === null
          ? withKnownFields(block)
          : `[An image (${describeImage(block)}) was left out: ${problem}.]`
      if (problem === null) {
        images += 1
        chars.all += size
        chars.inline += inline
      }
    } else part = `[a block of type ${cutText(block.type, 40)} was left out]`
    const previousPart = parts.at(-1)
    if (typeof part === 'string' && typeof previousPart === 'string')
      parts.splice(-1, 1, `${previousPart}\n${part}`)
    else parts.push(part)
  }
  return parts
}

/** A copy without any additional fields that a tool may have added. */
function withKnownFields(image: Picture): Picture {
  if (!isImage(image)) return image
  const { media_type, data } = image.source
  return { type: 'image', source: { type: 'base64', media_type, data } }
}

function blockOf(value: unknown): Block {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : null
  // The cast is safe: a value with a type is a block, and callers check all other fields.
  return typeof type === 'string' ? (value as Block) : { type: 'unknown' }
}
