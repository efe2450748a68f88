// Packs the files of one skill into a zip or a tar. Equal files give equal archives: times, owners and the order of
// files are fixed.

import { Gzip, Zip, ZipDeflate } from 'fflate'
import { packTar } from 'modern-tar'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { joinBytes } from '../../lib/bytes.ts'
import { inOrder, tooLongForTar } from './archive-paths.ts'
import { PACK_PIECE_BYTES } from './limits.ts'
import type { FileMap } from './skill-folder.ts'

const FILE_MODE = 0o644
const ZIP_OS_UNIX = 3
// fflate writes local time, so a local date gives the same bytes on every machine.
const ZIP_TIME = new Date(1980, 0, 1, 12)
const COMPRESSION_LEVEL = 6
// A tar ends with two empty blocks.
const TAR_END_BYTES = 1_024

/**
 * Packs files, which must be added one at a time in the order of `inOrder`. All pieces together are the archive. Each
 * step of `add` packs PACK_PIECE_BYTES and yields the output that this produced, if any.
 */
export interface Packer {
  add(
    path: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): AsyncIterable<readonly Uint8Array[]> | Iterable<readonly Uint8Array[]>
  end(): readonly Uint8Array[]
}

/** Packs a `.skill`: a deflated zip with all files in a folder `name`. Paths are relative to the skill's root. */
export function skillPacker(name: string): {
  add(path: string, bytes: Uint8Array<ArrayBuffer>): Iterable<readonly Uint8Array[]>
  end(): readonly Uint8Array[]
} {
  const output: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    output.push(piece)
  })
  const takeOutput = (): readonly Uint8Array[] => output.splice(0)
  return {
    *add(path, bytes) {
      const member = new ZipDeflate(`${name}/${path}`, { level: COMPRESSION_LEVEL })
      member.mtime = ZIP_TIME
      member.os = ZIP_OS_UNIX
      member.attrs = ((0o100000 | FILE_MODE) << 16) >>> 0
      zip.add(member)
      for (const { piece, isLast } of piecesOf(bytes)) {
        member.push(piece, isLast)
        yield takeOutput()
      }
    },
    end() {
      zip.end()
      return takeOutput()
    },
  }
}

/** Packs a `.tar.gz` in the ustar format with SKILL.md at its root. Every path must pass `fitsUstar`. */
export function tarGzPacker(): Packer {
  const output: Uint8Array[] = []
  const gzip = new Gzip({ level: COMPRESSION_LEVEL, mtime: 0 }, (piece) => output.push(piece))
  const takeOutput = (): readonly Uint8Array[] => output.splice(0)
  return {
    async *add(path, bytes) {
      const header = {
        name: path,
        size: bytes.byteLength,
        mode: FILE_MODE,
        mtime: new Date(0),
        type: 'file',
      } as const
      const tar = await packTar([{ header, body: bytes }])
      for (const { piece } of piecesOf(tar.subarray(0, -TAR_END_BYTES))) {
        gzip.push(piece)
        yield takeOutput()
      }
    },
    end() {
      gzip.push(new Uint8Array(TAR_END_BYTES), true)
      return takeOutput()
    },
  }
}

/** Splits bytes into pieces. An empty file has one empty piece. */
function* piecesOf(bytes: Uint8Array): Generator<{ readonly piece: Uint8Array; readonly isLast: boolean }> {
  for (let offset = 0; offset === 0 || offset < bytes.byteLength; offset += PACK_PIECE_BYTES) {
    const end = offset + PACK_PIECE_BYTES
    yield { piece: bytes.subarray(offset, end), isLast: end >= bytes.byteLength }
  }
}

/** Packs a `.skill` without pauses. The paths of `files` are relative to the skill's root. */
export function packSkill(name: string, files: FileMap): Uint8Array<ArrayBuffer> {
  const packer = skillPacker(name)
  const members = inOrder(files.keys()).flatMap((path) =>
    [...packer.add(path, contentOf(files, path))].flat(),
  )
  return joinBytes([...members, ...packer.end()])
}

/** Packs a `.tar.gz` without pauses. Failure: `invalid_skill` for paths that are too long for ustar. */
export async function packTarGz(files: FileMap): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const longPaths = tooLongForTar(files.keys())
  if (longPaths) return err(longPaths)
  const packer = tarGzPacker()
  const output: Uint8Array[] = []
  for (const path of inOrder(files.keys()))
    for await (const pieces of packer.add(path, contentOf(files, path))) output.push(...pieces)
  return ok(joinBytes([...output, ...packer.end()]))
}

function contentOf(files: FileMap, path: string): Uint8Array<ArrayBuffer> {
  return files.get(path) ?? new Uint8Array()
}
