// The files of one skill as an archive. Equal files give equal bytes: no clock, no owner, no order of the sender's.

import { Gzip, zipSync, type Zippable } from 'fflate'
import { packTar } from 'modern-tar'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
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

/** A `.skill`: a deflated zip with everything in one folder called `name`. `files` by path from the skill's root. */
export function packSkill(name: string, files: FileMap): Uint8Array<ArrayBuffer> {
  const members: Zippable = {}
  for (const [path, bytes] of sorted(files)) members[`${name}/${path}`] = bytes
  return zipSync(members, { level: LEVEL, mtime: ZIP_TIME, os: UNIX, attrs: ((0o100000 | MODE) << 16) >>> 0 })
}

/** A `.tar.gz` with SKILL.md at its root, in ustar. Failure: `invalid_skill`, a path that ustar cannot hold. */
export async function packTarGz(files: FileMap): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const long = Array.from(files.keys()).filter((path) => !fitsUstar(path))
  if (long.length > 0)
    return err({
      code: 'invalid_skill',
      detail: 'Some paths are too long for a tar. Take the .skill instead, or shorten them.',
      errors: long.map((path) => ({
        path: quoted(path),
        message: `must have a name of at most ${NAME_MAX} bytes behind folders of at most ${PREFIX_MAX}.`,
      })),
    })
  const packed: Uint8Array[] = []
  const gzip = new Gzip({ level: LEVEL, mtime: 0 }, (piece) => packed.push(piece))
  // One file at a time: the whole tar beside the files and the result would not fit an isolate.
  for (const [path, bytes] of sorted(files)) {
    const header = {
      name: path,
      size: bytes.byteLength,
      mode: MODE,
      mtime: new Date(0),
      type: 'file',
    } as const
    const tar = await packTar([{ header, body: bytes }])
    gzip.push(tar.subarray(0, -TAR_END))
  }
  gzip.push(new Uint8Array(TAR_END), true)
  return ok(joinBytes(packed))
}

/** By UTF-16 units: the same everywhere, whatever the locale. */
function sorted(files: FileMap): readonly (readonly [string, Uint8Array<ArrayBuffer>])[] {
  return Array.from(files).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function fitsUstar(path: string): boolean {
  if (utf8(path).length <= NAME_MAX) return true
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (utf8(path.slice(0, at)).length <= PREFIX_MAX && utf8(path.slice(at + 1)).length <= NAME_MAX)
      return true
  return false
}
