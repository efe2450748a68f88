// Packs the files of one skill into a zip or a tar. Equal files give equal archives: times, owners and the order of
// files are fixed.

import { Gzip, Zip, ZipDeflate } from 'fflate'
import { packTar } from 'modern-tar'
import { err, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { joinBytes, utf8 } from '../../lib/bytes.ts'
import { quoted } from '../format/finding.ts'
import { PACK_PIECE_BYTES } from './limits.ts'
import type { FileMap } from './skill-folder.ts'

const FILE_MODE = 0o644
const ZIP_OS_UNIX = 3
// fflate writes local time, so a local date gives the same bytes on every machine.
const ZIP_TIME = new Date(1980, 0, 1, 12)
const COMPRESSION_LEVEL = 6
// Maximum bytes of the name and of the folder in a ustar header.
const USTAR_NAME_MAX_BYTES = 100
const USTAR_PREFIX_MAX_BYTES = 155
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

/** The error `invalid_skill` for paths that are too long for ustar; null if all fit. */
export function tooLongForTar(paths: Iterable<string>): Failure | null {
  const longPaths = Array.from(paths).filter((path) => !fitsUstar(path))
  if (longPaths.length === 0) return null
  return {
    code: 'invalid_skill',
    detail: 'Some paths are too long for a tar archive. Download the .skill instead, or shorten the paths.',
    errors: longPaths.map((path) => ({
      path: quoted(path),
      message: `must have a name of at most ${USTAR_NAME_MAX_BYTES} bytes in folders of at most ${USTAR_PREFIX_MAX_BYTES}.`,
    })),
  }
}

function contentOf(files: FileMap, path: string): Uint8Array<ArrayBuffer> {
  return files.get(path) ?? new Uint8Array()
}

/** Sorts paths by UTF-16 code units, independently of the locale. */
export function inOrder(paths: Iterable<string>): readonly string[] {
  return Array.from(paths).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Whether this path fits into a ustar header. */
export function fitsUstar(path: string): boolean {
  if (utf8(path).length <= USTAR_NAME_MAX_BYTES) return true
  for (let offset = path.indexOf('/'); offset !== -1; offset = path.indexOf('/', offset + 1))
    if (
      utf8(path.slice(0, offset)).length <= USTAR_PREFIX_MAX_BYTES &&
      utf8(path.slice(offset + 1)).length <= USTAR_NAME_MAX_BYTES
    )
      return true
  return false
}
