// Reads an archive: first all of it, to verify that it is complete and unchanged, then its entries in any order.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { createTarDecoder } from 'modern-tar'

import { ARCHIVE_FORMAT } from '../../src/backup/limits.ts'
import { ArchiveManifest, MANIFEST_NAME, Signature, SIGNATURE_NAME, type Entry } from './manifest.ts'

export interface Archive {
  readonly manifest: ArchiveManifest
  readonly signature: Signature
  /** The bytes of an entry, verified again. Rejects if the file has changed since it was checked. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

class Damaged extends Error {}

/**
 * Rejects with the reason if the archive is incomplete or invalid. `onRead` receives the number of bytes read so far.
 */
export async function openArchive(path: string, onRead: (bytes: number) => void): Promise<Archive> {
  const { digests, texts } = await readAll(path, onRead).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} is not a complete backup: ${reason}. Nothing was sent.`)
  })
  const [text, signatureText] = [texts.get(MANIFEST_NAME), texts.get(SIGNATURE_NAME)]
  if (text === undefined || signatureText === undefined)
    throw new Error(`${path} is not a complete backup: it has no manifest. Nothing was sent.`)
  const manifest = parsed(text, ArchiveManifest, path)
  if (manifest.format !== ARCHIVE_FORMAT)
    throw new Error(
      `${path} has format ${manifest.format}, but this Satchel reads format ${ARCHIVE_FORMAT}. Use the version that made it.`,
    )
  const signature = parsed(signatureText, Signature, path)
  const changed = manifest.entries.find(
    ({ name, bytes, sha256 }) => digests.get(name) !== `${bytes} ${sha256}`,
  )
  if (changed || digests.get(MANIFEST_NAME)?.split(' ')[1] !== signature.digest)
    throw new Error(`${path} was damaged or changed at ${changed?.name ?? MANIFEST_NAME}. Nothing was sent.`)
  const handle = await open(path)
  const entries = new Map(manifest.entries.map((entry) => [entry.name, entry]))
  return {
    manifest,
    signature,
    read: async (name) => readEntry(handle, entries.get(name), `${path}: ${name}`),
    close: () => handle.close(),
  }
}

interface Contents {
  /** The size and SHA-256 of each entry, by name. */
  readonly digests: ReadonlyMap<string, string>
  readonly texts: ReadonlyMap<string, string>
}

async function readAll(path: string, onRead: (bytes: number) => void): Promise<Contents> {
  let read = 0
  const file = createReadStream(path)
  file.on('data', (chunk) => onRead((read += chunk.length)))
  // The cast is safe: Node and the tar reader declare the same stream class under two names.
  const entries = (Readable.toWeb(file) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  )
  const digests = new Map<string, string>()
  const texts = new Map<string, string>()
  for await (const { header, body } of entries) {
    const { name, size } = header
    if (digests.has(name)) throw new Damaged(`it has ${JSON.stringify(name)} twice`)
    const isText = name === MANIFEST_NAME || name === SIGNATURE_NAME
    const hash = createHash('sha256')
    const pieces: Uint8Array[] = []
    for await (const piece of body) {
      hash.update(piece)
      if (isText) pieces.push(piece)
    }
    digests.set(name, `${size} ${hash.digest('hex')}`)
    if (isText) texts.set(name, Buffer.concat(pieces).toString('utf8'))
  }
  return { digests, texts }
}

function parsed<T>(text: string, schema: { parse(value: unknown): T }, path: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new Error(`The manifest of ${path} cannot be read. Nothing was sent.`)
  }
}

async function readEntry(
  handle: FileHandle,
  entry: Entry | undefined,
  what: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!entry) throw new Error(`${what} is not in the archive.`)
  const bytes = new Uint8Array(entry.bytes)
  await handle.read(bytes, 0, entry.bytes, entry.offset)
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256)
    throw new Error(`${what} has changed since the archive was checked. Run the command again.`)
  return bytes
}
