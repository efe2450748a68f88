// The blocks of a person's message as the model gets it: the text with our tags escaped, its context and its new files.
// Pure.

import type { Block } from '../../agent/message.ts'
import { fencedContext, uploadedFiles } from '../../agent/prompt.ts'
import { uploadSource, type FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { defuseEntry, defuseTexts, escapeXml } from '../../lib/framework-tags.ts'
import { UPLOADS_LISTED_MAX } from './limits.ts'
import type { Run } from '../rows/run.ts'

export function contextBlock(context: Readonly<Record<string, string>>): Block[] {
  const entries = Object.entries(context).map(([key, value]) => [escapeXml(key), defuseEntry(value)] as const)
  return entries.length === 0 ? [] : [{ type: 'text', text: fencedContext(entries) }]
}

/** Lists the files that arrived since the last message. */
export function uploadsBlock(newUploads: readonly FileRow[]): Block[] {
  if (newUploads.length === 0) return []
  const listed = newUploads.slice(0, UPLOADS_LISTED_MAX).map(({ path, bytes, type }) => ({
    path: escapeXml(fullPath(path)),
    bytes,
    media_type: escapeXml(type),
  }))
  return [{ type: 'text', text: uploadedFiles(listed, newUploads.length - listed.length) }]
}

/** The sources of untrusted content in a message. Text that a person wrote does not count. */
export function untrustedSourcesIn(
  { message, context, fenced }: Run['ask'],
  newUploads: readonly FileRow[],
): readonly string[] {
  return [
    ...(fenced ? ['hook'] : []),
    ...(Object.keys(context).length > 0 ? ['context'] : []),
    ...(message.some(({ type }) => type !== 'text') ? ['image'] : []),
    ...newUploads.map(uploadSource),
  ]
}

/** Escapes a person's text for the model. Returns the same list if nothing needs escaping. */
export function escapeFrameworkTags(message: readonly Block[]): readonly Block[] {
  const originals = message.map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
  const texts = defuseTexts(originals)
  if (texts.every((text, index) => text === originals[index])) return message
  return message.map((block, index) => (block.type === 'text' ? { ...block, text: texts[index] } : block))
}

/** A message that joins a run in progress, with the files that came with it. */
export function steeredContent(ask: Run['ask'], newUploads: readonly FileRow[]): readonly Block[] {
  return [...contextBlock(ask.context), ...uploadsBlock(newUploads), ...escapeFrameworkTags(ask.message)]
}
