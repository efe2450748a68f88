// A tar archive on disk as a tree: streamed once for the list and once per read, so that memory holds only
// requested files. Refuses paths with `..`; lists links and never follows them.

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

/** Lists the archive. Failures are sentences without its path. */
export async function openTar(file: string): Promise<Result<SourceTree, string>> {
  const files: TreeFile[] = []
  const paths = new Set<string>()
  let commit: string | null = null
  const walked = await walk(file, async ({ header }) => {
    commit ??= commitOf(header.pax?.['comment'])
    if (header.type === 'directory') return null
    const path = header.name.replace(/^(?:\.\/)+/, '')
    if (isClimbing(path)) return `It holds the path ${JSON.stringify(path.slice(0, 120))}; that is refused.`
    // Sizes are checked by path before reading: a second file with the same path would bypass the check.
    if (paths.has(path)) return `It holds ${JSON.stringify(path.slice(0, 120))} twice; that is refused.`
    paths.add(path)
    files.push({ path, size: header.size, kind: (header.type ?? 'file') === 'file' ? 'file' : 'other' })
    return files.length > ADD_ENTRIES_MAX ? `It has more than ${ADD_ENTRIES_MAX} entries.` : null
  })
  if (walked !== null) return err(walked)
  return ok({ files, commit, read: async (paths) => readFrom(file, paths) })
}

async function readFrom(
  file: string,
  paths: ReadonlySet<string>,
): Promise<Result<ReadonlyMap<string, Uint8Array<ArrayBuffer>>, string>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>()
  const walked = await walk(file, async ({ header, body }) => {
    const path = header.name.replace(/^(?:\.\/)+/, '')
    if ((header.type ?? 'file') !== 'file' || !paths.has(path)) return null
    found.set(path, new Uint8Array(await new Response(body).arrayBuffer()))
    return null
  })
  return walked === null ? ok(found) : err(walked)
}

/** Calls `visit` for each member; an error from it, or of the archive, ends the walk. */
async function walk(
  file: string,
  visit: (member: ParsedTarEntry) => Promise<string | null>,
): Promise<string | null> {
  const disk = createReadStream(file)
  const inflated = (await isGzip(file)) ? createGunzip() : null
  // A disk error must reach the reader.
  if (inflated) disk.on('error', (error) => inflated.destroy(error))
  // The web streams drop the message of a zlib error.
  let torn: Error | null = null
  inflated?.on('error', (error) => (torn = error))
  const raw = inflated ? disk.pipe(inflated) : disk
  try {
    // Node's own web streams and the decoder's are the same classes under two names.
    const bytes = (Readable.toWeb(raw) as ReadableStream<Uint8Array>).pipeThrough(counted())
    return await walkTar(bytes, ADD_ENTRIES_MAX, visit)
  } catch (error) {
    if (error instanceof TarRefusal) return `The archive is refused. ${error.message}`
    return unreadable(torn ?? error)
  } finally {
    raw.destroy()
    disk.destroy()
  }
}

function unreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'Z_BUF_ERROR')
    return 'The archive is truncated: its gzip stream breaks off. Get the whole file.'
  if (String(code).startsWith('Z_')) return 'The archive is damaged: its gzip stream cannot be opened.'
  return `It is no archive that can be read (${error instanceof Error ? error.message : String(error)}).`
}

function counted(): TransformStream<Uint8Array, Uint8Array> {
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

/** Checks the first bytes: names and media types are unreliable. */
export async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/** `git archive` writes the commit into the archive's comment. */
function commitOf(comment: string | undefined): string | null {
  return comment !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(comment) ? comment : null
}

/** Skill paths are validated in full when a skill is read; this refuses only what no legitimate archive contains. */
function isClimbing(path: string): boolean {
  return path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')
}
