// Extracts the files of an uploaded archive. Recognizes the format by the first bytes, never by a file name.

import { err } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { ARCHIVE_TAR_MAX_BYTES, INFLATE_PIECE_BYTES } from './limits.ts'
import { damaged, archiveTooLarge } from './archive-intake.ts'
import { Blocks } from './blocks.ts'
import { inflateTo, isBloated } from './inflate.ts'
import type { FileMap } from './skill-folder.ts'
import { untar } from './tar.ts'
import { unzip } from './zip.ts'

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const GZIP = [0x1f, 0x8b]
const MAGIC_BYTES = 4
const GZIP_MIN_BYTES = 18

const UNSUPPORTED_FORMATS: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['an empty or split zip', [0x50, 0x4b]],
  ['a zstd file', [0x28, 0xb5, 0x2f, 0xfd]],
]

/**
 * The files of a zip (a .skill is one) or a gzipped tar. Paths have been checked, are in NFC, and still include a
 * wrapper folder. Extracts all files or none. Failures: `too_large`, `invalid_archive` (with `errors` by member).
 */
export function unpackArchive(bytes: Uint8Array<ArrayBuffer>): Promise<Result<FileMap>> {
  return unpackBlocks(new Blocks([bytes]))
}

/** Like unpackArchive, for an archive in blocks. Releases them during extraction, which halves the memory needed. */
export async function unpackBlocks(bytes: Blocks): Promise<Result<FileMap>> {
  const head = bytes.slice(0, MAGIC_BYTES)
  if (startsWith(head, ZIP)) return unzip(bytes)
  if (startsWith(head, GZIP)) return untarGz(bytes)
  const unsupported = UNSUPPORTED_FORMATS.find(([, magic]) => startsWith(head, magic))?.[0]
  const description =
    unsupported === undefined ? 'neither a zip nor a gzipped tar' : `${unsupported}, which is not supported`
  return err(damaged(`This is ${description}. Send a .skill, .zip or .tar.gz.`))
}

/** Whether unpackArchive supports the format. */
export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZIP) || startsWith(bytes, GZIP)
}

async function untarGz(bytes: Blocks): Promise<Result<FileMap>> {
  // A header, an empty stream and a trailer need at least this many bytes.
  if (bytes.length < GZIP_MIN_BYTES) return err(damaged(STREAM.truncated))
  // The last four bytes declare the size of the content. If that is too low, extraction stops there.
  const trailer = bytes.slice(bytes.length - 4, bytes.length)
  const declaredSize = new DataView(trailer.buffer, trailer.byteOffset, 4).getUint32(0, true)
  if (declaredSize > ARCHIVE_TAR_MAX_BYTES || isBloated(bytes.length, declaredSize))
    return err(await explainBadSize(bytes))
  const tar = new TransformStream<Uint8Array, Uint8Array>()
  const files = untar(tar.readable)
  const writer = tar.writable.getWriter()
  const allPieces = bytes.pieces(0, bytes.length)
  const inflated = await inflateTo(allPieces, declaredSize, async (content) => writer.write(content), 'gzip')
  const fault = inflated.ok
    ? inflated.value === bytes.length
      ? null
      : STREAM.trailing
    : STREAM[inflated.error]
  // If the tar was refused, its reader has already closed the pipe, and this fails.
  await (fault === null ? writer.close() : writer.abort(new Error(fault))).catch(() => {})
  const read = await files
  return fault === null ? read : err(damaged(fault))
}

/**
 * The error for a stream whose last four bytes cannot be its size, usually because the end of the file is missing.
 * Decompresses the stream to find out why, and keeps nothing.
 */
async function explainBadSize(bytes: Blocks): Promise<Failure> {
  let [inputBytes, outputBytes] = [0, 0]
  let isTooLong = false
  function* pieces(): Generator<Uint8Array> {
    for (const piece of bytes.pieces(0, bytes.length)) {
      // The output of the last piece may not have arrived yet.
      isTooLong = isBloated(inputBytes - INFLATE_PIECE_BYTES, outputBytes)
      if (isTooLong) return
      inputBytes += piece.length
      yield piece
    }
  }
  const inflated = await inflateTo(
    pieces(),
    ARCHIVE_TAR_MAX_BYTES,
    (content) => (outputBytes += content.length),
    'gzip',
  )
  if (inflated.ok && inflated.value < bytes.length) return damaged(STREAM.trailing)
  if (inflated.ok || isTooLong)
    return damaged('The gzip stream is much larger compressed than decompressed. Pack the skill again.')
  return inflated.error === 'longer'
    ? archiveTooLarge(`a tar of more than ${ARCHIVE_TAR_MAX_BYTES} bytes`)
    : damaged(STREAM[inflated.error])
}

const STREAM = {
  longer: 'The gzip stream is longer than its declared size. Pack the skill again.',
  damaged: 'The gzip stream is damaged: its content does not match its checksum. Pack the skill again.',
  truncated: 'The archive is truncated: its gzip stream ends too early. Send the complete file.',
  trailing: 'There is data after the gzip stream. Send only the archive.',
} as const

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}
