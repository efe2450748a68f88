// Extracts a zip with stored and deflated members. Does not trust the sizes that headers declare, except to refuse an
// archive.

import { crc32 } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { damaged, archiveIntake } from './archive-intake.ts'
import type { Blocks } from './blocks.ts'
import { inflate, inflateTo, isBloated } from './inflate.ts'
import type { InflateFault } from './inflate.ts'
import { fileKindRefusal } from './member-kind.ts'
import type { FileMap } from './skill-folder.ts'
import { zipMembers, type PlacedEntry, type ZipEntry } from './zip-directory.ts'

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x2041
const PATCHED = 0x20
const SLASH = 47

/** The files of the archive by path. Failures: `too_large`, `invalid_archive` (with `errors` by member). */
export async function unzip(bytes: Blocks): Promise<Result<FileMap>> {
  const members = zipMembers(bytes)
  if (!members.ok) return members
  const intake = archiveIntake()
  const neededEntries: (readonly [path: string, entry: PlacedEntry])[] = []
  for (const entry of members.value) {
    if (intake.isFull()) break
    const folder = entry.name.at(-1) === SLASH
    const path = intake.announce({ name: entry.name, folder, size: entry.size }, refusal(entry, folder))
    if (path !== null) neededEntries.push([path, entry])
  }
  const refused = intake.refusal()
  if (refused) return err(refused)
  for (const [path, entry] of neededEntries) {
    const content = await contentOf(bytes, entry)
    if (!content.ok) return err(damaged(`The member ${quoted(path)} ${content.error}. Pack the skill again.`))
    intake.addFile(path, content.value)
    // Members are ordered by offset: earlier bytes are no longer needed.
    bytes.release(entry.end)
  }
  return intake.files()
}

function refusal(entry: ZipEntry, folder: boolean): string | null {
  if ((entry.flags & ENCRYPTED) !== 0) return 'It is encrypted.'
  if ((entry.flags & PATCHED) !== 0) return 'It is a patch of another file.'
  if (entry.extra !== null) return entry.extra
  if (entry.method !== STORED && entry.method !== DEFLATED)
    return `It uses compression method ${entry.method}; only stored and deflated members are supported.`
  if (entry.method === DEFLATED && isBloated(entry.compressedBytes, entry.size))
    return 'It is much larger compressed than decompressed. Pack it with another tool.'
  if (entry.method === STORED && entry.compressedBytes !== entry.size)
    return 'It is marked as stored (uncompressed), but its compressed and uncompressed sizes differ.'
  if (folder && entry.size !== 0) return 'It is a folder with content.'
  if (!folder && entry.dosFolder) return 'It is marked as a folder, but its name is that of a file.'
  return fileKindRefusal(entry.mode, folder)
}

async function contentOf(
  bytes: Blocks,
  entry: PlacedEntry,
): Promise<Result<Uint8Array<ArrayBuffer>, string>> {
  const content = entry.method === STORED ? ok(readStored(bytes, entry)) : await readDeflated(bytes, entry)
  if (!content.ok) return content
  return crc32(content.value) === entry.crc ? content : err('is damaged: its checksum differs')
}

function readStored(bytes: Blocks, { start, size }: PlacedEntry): Uint8Array<ArrayBuffer> {
  const content = createFillBuffer(size)
  for (const piece of bytes.pieces(start, start + size)) content.take(piece)
  return content.bytes
}

/** Decompresses a member. Its declared size has been checked against the limits and cannot be exceeded. */
async function readDeflated(
  bytes: Blocks,
  { start, compressedBytes, size }: PlacedEntry,
): Promise<Result<Uint8Array<ArrayBuffer>, string>> {
  const content = createFillBuffer(size)
  const inputBytes =
    compressedBytes <= INFLATE_PIECE_BYTES
      ? inflateSynchronously(bytes.slice(start, start + compressedBytes), content)
      : await inflateTo(bytes.pieces(start, start + compressedBytes), size, (piece) => content.take(piece))
  if (!inputBytes.ok) return err(FAULT_MESSAGES[inputBytes.error])
  if (content.filled() !== size) return err('is shorter than its header says')
  return inputBytes.value === compressedBytes ? ok(content.bytes) : err('has bytes after its content')
}

/** Decompresses synchronously, because thousands of small members would otherwise each wait for the event loop. */
function inflateSynchronously(compressed: Uint8Array, content: FillBuffer): Result<number, InflateFault> {
  const inflated = inflate(compressed, content.bytes.length)
  if (!inflated.ok) return inflated
  content.take(inflated.value.content)
  return ok(inflated.value.inputBytes)
}

type FillBuffer = ReturnType<typeof createFillBuffer>

/** Creates a buffer that is filled piece by piece. */
function createFillBuffer(size: number) {
  const bytes = new Uint8Array(size)
  let filledBytes = 0
  return {
    bytes,
    filled: () => filledBytes,
    take(piece: Uint8Array): void {
      bytes.set(piece, filledBytes)
      filledBytes += piece.length
    },
  }
}

const FAULT_MESSAGES = {
  longer: 'is longer than its header says',
  damaged: 'is damaged',
  truncated: 'is truncated',
} as const
