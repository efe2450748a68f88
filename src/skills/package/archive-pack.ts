// The files of one skill as an archive. Equal files give equal bytes: no clock, no owner, no order of the sender's.

import { Gzip, Zip, ZipDeflate } from 'fflate'
import { packTar } from 'modern-tar'
import { err, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { joinBytes, utf8 } from '../../lib/bytes.ts'
import { quoted } from '../format/finding.ts'
import type { FileMap } from './skill-folder.ts'

const MODE = 0o644
const UNIX = 3
// fflate writes the local time of day: made as local time, it is the same on every machine.
const ZIP_TIME = new Date(1980, 0, 1, 12)
const LEVEL = 6
// ustar: a name of 100 bytes behind a folder of 155.
const NAME_MAX = 100
const PREFIX_MAX = 155
// A tar ends with two empty blocks.
const TAR_END = 1_024

/** Takes a version's files one after the other, in the order of `inOrder`; pieces, joined, are the archive. */
export interface Packer {
  add(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<readonly Uint8Array[]> | readonly Uint8Array[]
  end(): readonly Uint8Array[]
}

/** A `.skill`: a deflated zip with everything in one folder called `name`. Paths are from the skill's root. */
export function skillPacker(name: string): {
  add(path: string, bytes: Uint8Array<ArrayBuffer>): readonly Uint8Array[]
  end(): readonly Uint8Array[]
} {
  const packed: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    packed.push(piece)
  })
  const taken = (): readonly Uint8Array[] => packed.splice(0)
  return {
    add(path, bytes) {
      const member = new ZipDeflate(`${name}/${path}`, { level: LEVEL })
      member.mtime = ZIP_TIME
      member.os = UNIX
      member.attrs = ((0o100000 | MODE) << 16) >>> 0
      zip.add(member)
      member.push(bytes, true)
      return taken()
    },
    end() {
      zip.end()
      return taken()
    },
  }
}

/** A `.tar.gz` with SKILL.md at its root, in ustar; every path must fit it. */
export function tarGzPacker(): Packer {
  const packed: Uint8Array[] = []
  const gzip = new Gzip({ level: LEVEL, mtime: 0 }, (piece) => packed.push(piece))
  const taken = (): readonly Uint8Array[] => packed.splice(0)
  return {
    async add(path, bytes) {
      const header = {
        name: path,
        size: bytes.byteLength,
        mode: MODE,
        mtime: new Date(0),
        type: 'file',
      } as const
      const tar = await packTar([{ header, body: bytes }])
      gzip.push(tar.subarray(0, -TAR_END))
      return taken()
    },
    end() {
      gzip.push(new Uint8Array(TAR_END), true)
      return taken()
    },
  }
}

/** A `.skill` at once. `files` by path from the skill's root. */
export function packSkill(name: string, files: FileMap): Uint8Array<ArrayBuffer> {
  const packer = skillPacker(name)
  const members = inOrder(files.keys()).flatMap((path) => packer.add(path, contentOf(files, path)))
  return joinBytes([...members, ...packer.end()])
}

/** A `.tar.gz` at once. Failure: `invalid_skill`, a path that ustar cannot hold. */
export async function packTarGz(files: FileMap): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const long = tooLongForTar(files.keys())
  if (long) return err(long)
  const packer = tarGzPacker()
  const packed: Uint8Array[] = []
  for (const path of inOrder(files.keys())) packed.push(...(await packer.add(path, contentOf(files, path))))
  return ok(joinBytes([...packed, ...packer.end()]))
}

/** Why these paths cannot be in a tar: `invalid_skill`; null: they can. */
export function tooLongForTar(paths: Iterable<string>): Failure | null {
  const long = Array.from(paths).filter((path) => !fitsUstar(path))
  if (long.length === 0) return null
  return {
    code: 'invalid_skill',
    detail: 'Some paths are too long for a tar. Take the .skill instead, or shorten them.',
    errors: long.map((path) => ({
      path: quoted(path),
      message: `must have a name of at most ${NAME_MAX} bytes behind folders of at most ${PREFIX_MAX}.`,
    })),
  }
}

function contentOf(files: FileMap, path: string): Uint8Array<ArrayBuffer> {
  return files.get(path) ?? new Uint8Array()
}

/** By UTF-16 units: the same everywhere, whatever the locale. */
export function inOrder(paths: Iterable<string>): readonly string[] {
  return Array.from(paths).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Whether a tar without extensions can hold this path. */
export function fitsUstar(path: string): boolean {
  if (utf8(path).length <= NAME_MAX) return true
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (utf8(path.slice(0, at)).length <= PREFIX_MAX && utf8(path.slice(at + 1)).length <= NAME_MAX)
      return true
  return false
}
