// A thread's files in memory, as a tool sees them. A file that a tool wants to write exists once `apply` was called
// with it.

import { fileImage } from '../../src/agent/message.ts'
import type { FileChange } from '../../src/agent/tool.ts'
import type { FileAccess, FileRow, KeptBytes, Rewrite, StreamedContent } from '../../src/files/access.ts'
import { mediaTypeOf } from '../../src/files/media-type.ts'
import { foldPath, parentFolders, fullPath } from '../../src/files/path.ts'
import { unreadMessage } from '../../src/files/unread.ts'
import { joinBytes, sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { err, ok } from '../../src/lib/result.ts'

export class FakeFiles implements FileAccess {
  readonly #rows = new Map<string, FileRow>()
  readonly #bytes = new Map<number, Uint8Array>()
  /** The error with which every write is refused from now on. */
  refusal: string | null = null
  #lastKept = 0

  /** Adds a file as an upload does, or as one that the model already knows. */
  async put(path: string, content: string | Uint8Array<ArrayBuffer>, known = false): Promise<FileRow> {
    const bytes = typeof content === 'string' ? utf8(content) : content
    const object = this.#bytes.size + 1
    this.#bytes.set(object, bytes)
    const row: FileRow = {
      path,
      object,
      sha256: await sha256Hex(bytes),
      bytes: bytes.length,
      type: mediaTypeOf(path),
      origin: known ? 'tool' : 'upload',
      announced: true,
      known,
      createdAt: 0,
      updatedAt: 0,
    }
    this.#rows.set(path, row)
    return row
  }

  /** Applies the changes that a tool's result requests. */
  async apply(changes: readonly FileChange[] = []): Promise<void> {
    for (const { path, body, known } of changes)
      if (body?.data) await this.put(path, new Uint8Array(body.data), known ?? true)
      else this.#rows.delete(path)
  }

  list(): readonly FileRow[] {
    return [...this.#rows.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  get(path: string): FileRow | undefined {
    return this.#rows.get(path)
  }

  pathVariant(path: string): string | null {
    return this.list().find((row) => row.path !== path && foldPath(row.path) === foldPath(path))?.path ?? null
  }

  async read(row: FileRow): ReturnType<FileAccess['read']> {
    const bytes = this.#bytes.get(row.object)
    return bytes ? ok(bytes) : err('lost')
  }

  async readRange(row: FileRow, offset: number, length: number): ReturnType<FileAccess['readRange']> {
    const bytes = this.#bytes.get(row.object)
    return bytes ? ok(bytes.slice(offset, offset + length)) : err('lost')
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>): ReturnType<FileAccess['write']> {
    if (this.refusal !== null) return err(this.refusal)
    const before = this.#rows.get(path)
    if (this.list().some((row) => row.path.startsWith(`${path}/`))) return err('That is a folder.')
    const file = parentFolders(path).find((folder) => this.#rows.has(folder))
    if (file !== undefined) return err(`${fullPath(file)} is a file, so it cannot contain other files.`)
    const pathVariant = before ? null : this.pathVariant(path)
    if (pathVariant !== null)
      return err(`${fullPath(pathVariant)} exists already and differs only in letter case.`)
    if (before && !before.known) return err(unreadMessage(path))
    const body = { sha256: await sha256Hex(bytes), bytes: bytes.length, data: bytes, object: null }
    return ok({ path, body, expect: before?.sha256 ?? null })
  }

  async rewrite(changes: readonly Rewrite[]): ReturnType<FileAccess['rewrite']> {
    if (this.refusal !== null) return err(this.refusal)
    return ok(
      await Promise.all(
        changes.map(async ({ path, content, expect }) => {
          const bytes = content && (content instanceof Uint8Array ? content : await joined(content))
          return {
            path,
            body: bytes && { sha256: await sha256Hex(bytes), bytes: bytes.length, data: bytes, object: null },
            expect,
            known: false as const,
          }
        }),
      ),
    )
  }

  /** Contents that were passed to `keep` and not to `discard`. */
  readonly kept = new Map<number, Uint8Array>()

  async keep(bytes: Uint8Array): ReturnType<FileAccess['keep']> {
    if (this.refusal !== null) return err(this.refusal)
    this.#lastKept += 1
    this.kept.set(this.#lastKept, bytes)
    return ok({ object: this.#lastKept, bytes: bytes.length })
  }

  async readKept({ object }: KeptBytes, offset: number, length: number): ReturnType<FileAccess['readKept']> {
    const bytes = this.kept.get(object)
    return bytes ? ok(bytes.slice(offset, offset + length)) : err('lost')
  }

  async discard(kept: readonly KeptBytes[]): Promise<void> {
    for (const { object } of kept) this.kept.delete(object)
  }

  image({ object, path, bytes }: FileRow, media_type: string): ReturnType<FileAccess['image']> {
    return fileImage({ type: 'file', object, path: fullPath(path), media_type, bytes })
  }
}

async function joined({ parts }: StreamedContent): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const part of parts()) all.push(part)
  return joinBytes(all)
}
