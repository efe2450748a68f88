// Stores the content of files that a program changed: as a whole from memory, or in parts.

import type { FileBody, FileChange } from '../agent/tool.ts'
import { hex, joinBytes, sha256Hex } from '../lib/bytes.ts'
import { FILE_INLINE_MAX_BYTES } from '../limits/files.ts'
import type { Rewrite, StreamedContent } from './access.ts'
import type { FileStore } from './store.ts'
import type { FileTree } from './tree.ts'

/** A change whose content has yet to be stored. The digest of streamed content is not known yet. */
export interface PendingChange {
  readonly change: FileChange
  readonly content: Rewrite['content']
}

interface Parts {
  readonly store: FileStore
  readonly now: () => number
  readonly newToken: () => string
}

/**
 * Null if the file already has this content. Streamed content of at most `inlineMaxBytes` becomes a row.
 * Rejects if it cannot be read.
 */
export async function pendingChange(
  { path, content, expect }: Rewrite,
  inlineMaxBytes: number,
): Promise<PendingChange | null> {
  const isStreamed = content !== null && !(content instanceof Uint8Array)
  if (isStreamed && content.bytes > Math.min(FILE_INLINE_MAX_BYTES, inlineMaxBytes)) {
    const body = { sha256: '', bytes: content.bytes, data: null, object: null }
    return { change: { path, body, expect, known: false }, content }
  }
  const bytes = isStreamed ? await joined(content) : content
  const sha256 = bytes && (await sha256Hex(bytes))
  if (sha256 === expect) return null
  const body = bytes && sha256 !== null ? { sha256, bytes: bytes.length, data: null, object: null } : null
  return { change: { path, body, expect, known: false }, content: bytes }
}

/** Null if the file already has this content. Rejects if the store fails, or if the content cannot be read. */
export async function storedChange(
  tree: FileTree,
  { change, content }: PendingChange,
  { store, now, newToken }: Parts,
): Promise<FileChange | null> {
  if (!content || !change.body) return change
  if (content instanceof Uint8Array)
    return { ...change, body: await tree.storeBody(content, change.body.sha256, store, newToken, now()) }
  const body = await storeParts(tree, content, { store, now, newToken })
  if (body.sha256 !== change.expect) return { ...change, body }
  if (body.object !== null) await tree.discard([body.object], store)
  return null
}

async function joined({ parts }: StreamedContent): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const part of parts()) all.push(part)
  return joinBytes(all)
}

async function storeParts(
  tree: FileTree,
  { bytes, parts }: StreamedContent,
  { store, now, newToken }: Parts,
): Promise<FileBody> {
  const { object, key } = tree.stage(newToken(), bytes, now())
  const digest = new crypto.DigestStream('SHA-256')
  digest.digest.catch(() => {})
  const hash = digest.getWriter()
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of parts()) {
      await hash.write(part)
      yield part
    }
  }
  await store.putParts(key, bytes, hashed())
  await hash.close()
  return { sha256: hex(new Uint8Array(await digest.digest)), bytes, data: null, object }
}
