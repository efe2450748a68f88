// Presents a tar archive on disk as a tree. Streams it once to list it and once for each read, so that memory
// holds only the requested files. Refuses paths with `..`; lists links but never follows them.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import type { ParsedTarEntry } from 'modern-tar'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { walkTar } from '../../src/skills/package/tar.ts'
import { TarRefusal } from '../../src/skills/package/tar-headers.ts'
import { ADD_ENTRIES_MAX, ADD_UNPACKED_MAX_BYTES } from './limits.ts'
import type { SourceTree, TreeFile } from './tree.ts'

/** Lists the archive. Error messages do not contain its path. */
export async function openTar(file: string): Promise<Result<SourceTree, string>> {
  const files: TreeFile[] = []
  const paths = new Set<string>()
  let commit: string | null = null
  const walkError = await visitEntries(file, async ({ header }) => {
    commit ??= commitOf(header.pax?.['comment'])
    if (header.type === 'directory') return null
    const path = header.name.replace(/^(?:\.\/)+/, '')
    if (isUnsafePath(path))
      return `The archive contains the unsafe path ${JSON.stringify(path.slice(0, 120))}, so it was refused.`
    // Sizes are checked by path before reading: a second file with the same path would bypass the check.
    if (paths.has(path))
      return `The archive contains ${JSON.stringify(path.slice(0, 120))} twice, so it was refused.`
    paths.add(path)
    files.push({ path, size: header.size, kind: (header.type ?? 'file') === 'file' ? 'file' : 'other' })
    return files.length > ADD_ENTRIES_MAX
      ? `The archive has more than ${ADD_ENTRIES_MAX} entries, the limit for a source.`
      : null
  })
  if (walkError !== null) return err(walkError)
  return ok({ files, commit, read: async (paths) => readFrom(file, paths) })
}

async function readFrom(
  file: string,
  paths: ReadonlySet<string>,
): Promise<Result<ReadonlyMap<string, Uint8Array<ArrayBuffer>>, string>> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  const walkError = await visitEntries(file, async ({ header, body }) => {
    const path = header.name.replace(/^(?:\.\/)+/, '')
    if ((header.type ?? 'file') !== 'file' || !paths.has(path)) return null
    contents.set(path, new Uint8Array(await new Response(body).arrayBuffer()))
    return null
  })
  return walkError === null ? ok(contents) : err(walkError)
}

/** Calls `visit` for each entry. Stops at the first error, and returns it; null if there was none. */
async function visitEntries(
  file: string,
  visit: (member: ParsedTarEntry) => Promise<string | null>,
): Promise<string | null> {
  const disk = createReadStream(file)
  const gunzip = (await isGzip(file)) ? createGunzip() : null
  // `pipe` does not pass on errors of the disk.
  if (gunzip) disk.on('error', (error) => gunzip.destroy(error))
  // Web streams drop the message of a zlib error.
  let inflateError: Error | null = null
  gunzip?.on('error', (error) => (inflateError = error))
  const tarStream = gunzip ? disk.pipe(gunzip) : disk
  try {
    // The cast is safe: Node and the tar reader declare the same stream class under two names.
    const bytes = (Readable.toWeb(tarStream) as ReadableStream<Uint8Array>).pipeThrough(limitSize())
    return await walkTar(bytes, ADD_ENTRIES_MAX, visit)
  } catch (error) {
    if (error instanceof TarRefusal) return `The archive was refused. ${error.message}`
    return explainReadError(inflateError ?? error)
  } finally {
    tarStream.destroy()
    disk.destroy()
  }
}

function explainReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'Z_BUF_ERROR')
    return 'The archive is truncated: its gzip stream ends too early. Download the file again.'
  if (String(code).startsWith('Z_'))
    return 'The archive is damaged: its gzip stream cannot be read. Download the file again.'
  return `The archive cannot be read (${error instanceof Error ? error.message : String(error)}).`
}

/** A stream that fails when more than ADD_UNPACKED_MAX_BYTES have passed. */
function limitSize(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > ADD_UNPACKED_MAX_BYTES)
        controller.error(new Error(`more than ${ADD_UNPACKED_MAX_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
}

/** Checks the first bytes, because names and media types are unreliable. */
export async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/** The commit, which `git archive` writes into the archive's comment; null if there is none. */
function commitOf(comment: string | undefined): string | null {
  return comment !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(comment) ? comment : null
}

/**
 * Whether no legitimate archive contains this path. All other rules for paths are checked when a skill is
 * read.
 */
function isUnsafePath(path: string): boolean {
  return path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')
}
