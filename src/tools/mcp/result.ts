// Converts the result of an MCP tool to one for the model, without secrets. Structured content is used only if there
// is no content, because it repeats the content.

import type { ImageBlock, TextBlock, ToolContent } from '../../agent/message.ts'
import { isObject } from '../../lib/json-object.ts'
import { cutText } from '../../lib/text.ts'
import type { McpResult } from '../../mcp/client.ts'

type Part = TextBlock | ImageBlock

/** Masks all texts before any is cut. Leaves binary data unchanged. */
export function maskedResult(result: McpResult, mask: (text: string) => string): McpResult {
  return {
    ...result,
    content: result.content.map((block) => maskedValue(block, mask, BINARY_FIELDS)),
    structuredContent: maskedValue(result.structuredContent, mask),
  }
}

/** The fields of blocks with base64 data. */
const BINARY_FIELDS: readonly string[] = ['data', 'blob']

function maskedValue(
  value: unknown,
  mask: (text: string) => string,
  except: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((one: unknown) => maskedValue(one, mask, except))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      mask(name),
      except.includes(name) ? one : maskedValue(one, mask, except),
    ]),
  )
}

export function resultContent({ content, structuredContent }: McpResult): ToolContent {
  const parts = content.map(partOf)
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent, null, 2)
  // If there is only text, returns one string, which can become a file if it is long.
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n\n') : parts
}

function partOf(block: unknown): Part {
  if (!isObject(block)) return textPart('[a block that is not readable]')
  const { type, text, data, mimeType, uri, name, description, resource } = block
  if (type === 'text' && typeof text === 'string') return textPart(text)
  if (type === 'image') return imagePart(data, mimeType)
  if (type === 'resource_link')
    return textPart(`[link to ${word(name)} at ${word(uri)}: ${word(description)}]`)
  if (type === 'resource' && isObject(resource)) return resourcePart(resource)
  return textPart(`[${word(type)} of the type ${word(mimeType)}: cannot be shown]`)
}

function resourcePart({ uri, mimeType, text, blob }: Readonly<Record<string, unknown>>): Part {
  if (typeof text === 'string') return textPart(`[${word(uri)}]\n${text}`)
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return imagePart(blob, mimeType)
  return textPart(`[${word(uri)} of the type ${word(mimeType)}: cannot be shown]`)
}

/** Whether a model accepts the image is decided where results are limited (src/agent/result.ts). */
function imagePart(data: unknown, mimeType: unknown): Part {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return textPart('[an image without data]')
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
}

function textPart(text: string): TextBlock {
  return { type: 'text', text }
}

function word(value: unknown): string {
  return typeof value === 'string' ? cutText(value, 500) : 'unknown'
}
