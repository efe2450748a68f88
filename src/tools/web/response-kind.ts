// Detects what kind of content a web response has, from its first bytes and then from its headers.

import { imageMediaType } from '../../agent/image.ts'
import type { DocumentKind } from '../../files/documents/document.ts'
import { documentKind } from '../../files/documents/kind.ts'
import { BINARY_CHECK_BYTES } from '../../limits/tools.ts'
import type { GuardedResponse } from '../../net/fetch.ts'

export type ResponseKind =
  | { readonly as: 'page' }
  | { readonly as: 'document'; readonly kind: DocumentKind }
  | { readonly as: 'image'; readonly mediaType: string }
  | { readonly as: 'json' }
  | { readonly as: 'text' }
  | { readonly as: 'other' }

/** Content types that are shown as text. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|toml|javascript|ecmascript|sql|graphql|x-sh|x-ndjson|jsonl|markdown|rtf)$)/
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/
/** Content types that servers send if they do not know the type of a file. */
const UNKNOWN_TYPE =
  /^(?:|application\/(?:octet-stream|binary|x-download|force-download)|binary\/octet-stream)$/

export function responseKind({ url, headers, body }: GuardedResponse): ResponseKind {
  const { type } = mediaTypeIn(headers['content-type'])
  const image = imageMediaType(body)
  if (image !== null) return { as: 'image', mediaType: image }
  const document = documentKind(urlFileName(url), body.subarray(0, 1_024))
  // A CSV file is text already, so it is returned unchanged.
  if (document !== null && document !== 'csv') return { as: 'document', kind: document }
  const isText =
    !body.subarray(0, BINARY_CHECK_BYTES).includes(0) || /utf-?16/i.test(headers['content-type'] ?? '')
  const looksLikePage =
    isText && /^\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b/is.test(decodeHead(body))
  if (PAGE_TYPE.test(type) || (looksLikePage && (UNKNOWN_TYPE.test(type) || type === 'text/plain')))
    return { as: 'page' }
  if (!isText) return { as: 'other' }
  if (JSON_TYPE.test(type)) return { as: 'json' }
  return TEXT_TYPE.test(type) || UNKNOWN_TYPE.test(type) ? { as: 'text' } : { as: 'other' }
}

/** Parses a `Content-Type` header. Type and charset are empty if the header is missing. */
export function mediaTypeIn(header: string | undefined): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = (header ?? '').split(';')
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter))
  return {
    type: type.trim().toLowerCase(),
    charset: (charset?.split('=')[1] ?? '').replaceAll('"', '').trim().slice(0, 40),
  }
}

/** The file name in a URL. It identifies some document types that the first bytes do not. */
export function urlFileName(url: string): string {
  const { pathname } = new URL(url)
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}

function decodeHead(body: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(body.subarray(0, 1_024)).replace(/^ï»¿/, '')
}
