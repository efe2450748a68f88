// Converts a web response into what a model can read: text with its links, an image, or a description of the content.

import { imageBytesFault } from '../../agent/image.ts'
import type { ToolCall } from '../../agent/tool.ts'
import type { DocumentReader } from '../../files/documents/document.ts'
import { base64 } from '../../lib/bytes.ts'
import { decodeText } from '../../lib/charset.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { TOOL_IMAGES_MAX_CHARS } from '../../limits/tools.ts'
import { WEB_JSON_PRETTY_MAX_CHARS } from './limits.ts'
import type { GuardedResponse } from '../../net/fetch.ts'
import { responseKind, urlFileName, mediaTypeIn } from './response-kind.ts'

export interface TextPage {
  readonly is: 'text'
  readonly text: string
  /** The file extension for the text. */
  readonly extension: string
  /** Whether it has Markdown headings. */
  readonly markdown: boolean
  /** A sentence about what is missing; null if the text is complete. */
  readonly truncationNote: string | null
  /** The links of an HTML page; null for other content. */
  readonly links: readonly string[] | null
}

interface ImagePage {
  readonly is: 'image'
  readonly mediaType: string
  readonly data: string
  readonly bytes: number
}

/** A description of content that cannot be shown. */
interface OtherPage {
  readonly is: 'other'
  readonly text: string
}

export type WebPage = TextPage | ImagePage | OtherPage

/** The error is a message for the model. */
export async function webPageOf(
  answer: GuardedResponse,
  documents: DocumentReader | null,
  call: Pick<ToolCall, 'signal' | 'queue'>,
): Promise<Result<WebPage, string>> {
  const { headers, body, url } = answer
  const { type, charset } = mediaTypeIn(headers['content-type'])
  const kind = responseKind(answer)
  const size = `${body.length}${answer.cut ? ' or more' : ''} bytes`
  const partialNote = answer.cut ? `Only its first ${body.length} bytes were fetched.` : null
  switch (kind.as) {
    case 'image':
      return ok(imagePage(kind.mediaType, body, answer.cut, size))
    case 'json':
    case 'text': {
      const text = decodeText(body, [charset]).toWellFormed()
      const markdown = type === 'text/markdown' || /\.(?:md|markdown)$/i.test(urlFileName(url))
      const shown = kind.as === 'json' ? indentJson(text) : text
      const extension = kind.as === 'json' ? 'json' : markdown ? 'md' : extensionOf(url)
      return ok({ is: 'text', text: shown, extension, markdown, truncationNote: partialNote, links: null })
    }
    case 'page':
    case 'document': {
      if (!documents)
        return err(
          'This server cannot read pages and documents, because it was deployed without readers for them.',
        )
      if (kind.as === 'document' && answer.cut)
        return err(
          `The document is larger than the fetch limit of ${body.length} bytes. Ask the user for it as a file.`,
        )
      const hints = { base: url, ...(charset === '' ? {} : { charset }) }
      const read = await documents.read(kind.as === 'page' ? 'html' : kind.kind, body, call, hints)
      if (!read.ok) return err(read.error)
      const truncationNote = [read.value.cut, partialNote].filter((text) => text !== null).join(' ') || null
      const links = read.value.links ?? null
      return ok({
        is: 'text',
        text: read.value.text.toWellFormed(),
        extension: 'md',
        markdown: true,
        truncationNote,
        links,
      })
    }
    case 'other':
      return ok({
        is: 'other',
        text: `It has ${type === '' ? 'no declared type' : `the type ${type}`} and a size of ${size}, and it cannot be shown as text.`,
      })
  }
}

function imagePage(mediaType: string, body: Uint8Array, cut: boolean, size: string): ImagePage | OtherPage {
  const fault = cut ? 'it is larger than the fetch limit' : imageBytesFault(mediaType, body)
  const data = fault === null ? base64(body) : ''
  const reason = data.length > TOOL_IMAGES_MAX_CHARS ? 'it is too large to be shown here' : fault
  if (reason !== null) return { is: 'other', text: `It is an image (${mediaType}, ${size}): ${reason}.` }
  return { is: 'image', mediaType, data, bytes: body.length }
}

/** Indents JSON, unless it is long or already indented. */
function indentJson(text: string): string {
  if (text.length > WEB_JSON_PRETTY_MAX_CHARS || text.includes('\n  ')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // invalid JSON, or nested too deeply
  }
}

function extensionOf(url: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(urlFileName(url))?.[1]?.toLowerCase() ?? 'txt'
}
