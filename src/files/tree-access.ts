// Implements the FileAccess port on a thread's file tree. A write takes effect when the tool's result is stored.

import { fileImage } from '../agent/message.ts'
import type { FileBody, FileChange } from '../agent/tool.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { logText } from '../lib/redact.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { FileAccess, FileRow } from './access.ts'
import { fullPath } from './path.ts'
import type { FileQuotas } from './quota.ts'
import { REWRITE_INLINE_TOTAL_MAX_BYTES } from './limits.ts'
import { pendingChange, storedChange, type PendingChange } from './rewrite.ts'
import type { FileStore } from './store.ts'
import type { FileTree } from './tree.ts'
import { unreadMessage } from './unread.ts'

export interface FilePorts {
  readonly store: FileStore
  readonly now: () => number
  readonly newToken: () => string
  readonly quotas: () => Promise<Result<FileQuotas>>
  /**
   * Reserves quota for the bytes that files will need (`kept`), and for the part of these bytes that has yet
   * to be stored (`stored`).
   */
  readonly reserveSpace: (kept: number, stored: number) => Promise<Result<null>>
}

export function fileAccess(
  tree: FileTree,
  { store, now, newToken, quotas, reserveSpace }: FilePorts,
): FileAccess {
  const readResult = async (
    row: FileRow,
    reading: Promise<Uint8Array | null>,
  ): Promise<Result<Uint8Array, string>> => {
    const bytes = await reading.catch(() => undefined)
    if (bytes) return ok(bytes)
    const modelPath = fullPath(row.path)
    if (bytes === undefined) return err(`${modelPath} cannot be read right now. ${TRY_LATER}`)
    return tree.get(row.path)?.object === row.object
      ? err(`The content of ${modelPath} has been lost. Ask the user to send the file again.`)
      : err(`${modelPath} was changed or removed while it was being read. ${TRY_LATER}`)
  }
  return {
    list: () => tree.list(),
    get: (path) => tree.get(path),
    pathVariant: (path) => tree.pathVariant(path),
    read: async (row) => readResult(row, tree.bytes(row.object, store)),
    readRange: async (row, offset, length) => readResult(row, tree.range(row.object, offset, length, store)),
    async write(path, bytes) {
      const before = tree.get(path)
      if (before && !before.known) return err(unreadMessage(path))
      const sha256 = await sha256Hex(bytes)
      const expect = before?.sha256 ?? null
      const limits = await quotas()
      if (!limits.ok) return err(limits.error.detail)
      // Checks the size before anything is stored. The bytes themselves are not needed for this.
      const body: FileBody = { sha256, bytes: bytes.length, data: null, object: null }
      const checked = tree.check([{ path, body, expect }], limits.value)
      if (!checked.ok) return err(checked.error.detail)
      const reserved = await reserveSpace(Math.max(0, bytes.length - (before?.bytes ?? 0)), bytes.length)
      if (!reserved.ok) return err(reserved.error.detail)
      try {
        return ok({ path, body: await tree.storeBody(bytes, sha256, store, newToken, now()), expect })
      } catch {
        return err(STORE_UNREACHABLE)
      }
    },
    async rewrite(rewrites) {
      const limits = await quotas()
      if (!limits.ok) return err(limits.error.detail)
      const pending: PendingChange[] = []
      let inlineBytes = 0
      for (const rewrite of rewrites) {
        const one = await pendingChange(rewrite, REWRITE_INLINE_TOTAL_MAX_BYTES - inlineBytes).catch(
          () => 'lost',
        )
        if (typeof one === 'string') return err(UNREADABLE)
        if (!one) continue
        if (one.content instanceof Uint8Array) inlineBytes += one.content.length
        pending.push(one)
      }
      const changes = pending.map(({ change }) => change)
      // Checks all changes together before anything is stored.
      const checked = tree.check(changes, limits.value)
      if (!checked.ok) return err(checked.error.detail)
      const reserved = await reserveSpace(...growthOf(tree, changes))
      if (!reserved.ok) return err(reserved.error.detail)
      try {
        const storedChanges: FileChange[] = []
        for (const one of pending) {
          const stored = await storedChange(tree, one, { store, now, newToken })
          if (stored) storedChanges.push(stored)
        }
        return ok(storedChanges)
      } catch {
        return err(STORE_UNREACHABLE)
      }
    },
    async keep(bytes) {
      const loose = tree.checkLooseBytes(bytes.length, now())
      if (!loose.ok) return err(loose.error.detail)
      const reserved = await reserveSpace(0, bytes.length)
      if (!reserved.ok) return err(reserved.error.detail)
      try {
        const { object, key } = tree.stage(newToken(), bytes.length, now())
        await store.put(key, bytes)
        return ok({ object, bytes: bytes.length })
      } catch {
        return err(STORE_UNREACHABLE)
      }
    },
    async readKept({ object }, offset, length) {
      const bytes = await tree.range(object, offset, length, store).catch(() => null)
      return bytes ? ok(bytes) : err(UNREADABLE)
    },
    async discard(kept) {
      try {
        await tree.discard(
          kept.map(({ object }) => object),
          store,
        )
      } catch (error) {
        console.warn(JSON.stringify({ at: 'files.discard', error: logText(error) }))
      }
    },
    image: ({ object, path, bytes }, media_type) =>
      fileImage({ type: 'file', object, path: fullPath(path), media_type, bytes }),
  }
}

/**
 * The additional bytes that files need after these changes, and how many of these bytes are not stored yet.
 */
export function growthOf(
  tree: Pick<FileTree, 'get'>,
  changes: readonly FileChange[],
): [kept: number, stored: number] {
  let kept = 0
  let stored = 0
  for (const { path, body } of changes) {
    kept += (body?.bytes ?? 0) - (tree.get(path)?.bytes ?? 0)
    if (body && body.object === null) stored += body.bytes
  }
  return [Math.max(0, kept), stored]
}

const TRY_LATER = 'Try again in the next step.'
const UNREADABLE = `Not written: what the command wrote cannot be read right now. ${TRY_LATER}`
const STORE_UNREACHABLE = `Not written: the storage for large files is unreachable right now. ${TRY_LATER}`
