// Opens a zip: stored and deflated members, counted while they are opened. Headers are believed only when they refuse.

import { crc32 } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { quoted } from '../format/finding.ts'
import { damaged, intake } from './archive-intake.ts'
import { inflate, isBloated } from './inflate.ts'
import { fileKindRefusal } from './member-kind.ts'
import type { FileMap } from './skill-folder.ts'
import { zipMembers, type PlacedEntry, type ZipEntry } from './zip-directory.ts'

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x2041
const PATCHED = 0x20
const SLASH = 47

/** The files of the archive by path. Failures: `too_large`, `invalid_archive` (with `errors` by member). */
export function unzip(bytes: Uint8Array): Result<FileMap> {
  const members = zipMembers(bytes)
  if (!members.ok) return members
  const into = intake()
  const wanted: (readonly [path: string, entry: PlacedEntry])[] = []
  for (const entry of members.value) {
    if (into.full()) break
    const folder = entry.name.at(-1) === SLASH
    const path = into.announce({ name: entry.name, folder, size: entry.size }, refusal(entry, folder))
    if (path !== null) wanted.push([path, entry])
  }
  const refused = into.refused()
  if (refused) return err(refused)
  for (const [path, entry] of wanted) {
    const content = contentOf(bytes, entry)
    if (!content.ok) return err(damaged(`The member ${quoted(path)} ${content.error}. Pack the skill again.`))
    into.keep(path, content.value)
  }
  return into.files()
}

function refusal(entry: ZipEntry, folder: boolean): string | null {
  if ((entry.flags & ENCRYPTED) !== 0) return 'It is encrypted.'
  if ((entry.flags & PATCHED) !== 0) return 'It is a patch of another file.'
  if (entry.extra !== null) return entry.extra
  if (entry.method !== STORED && entry.method !== DEFLATED)
    return `It is packed by method ${entry.method}; only stored and deflated members are read.`
  if (entry.method === DEFLATED && isBloated(entry.packed, entry.size))
    return 'It is far larger packed than open. Pack it with another tool.'
  if (entry.method === STORED && entry.packed !== entry.size) return 'It is stored, and yet has two sizes.'
  if (folder && entry.size !== 0) return 'It is a folder with content.'
  if (!folder && entry.dosFolder) return 'It is marked as a folder and named as a file.'
  return fileKindRefusal(entry.mode, folder)
}

function contentOf(bytes: Uint8Array, entry: PlacedEntry): Result<Uint8Array<ArrayBuffer>, string> {
  const packed = bytes.subarray(entry.start, entry.start + entry.packed)
  const content = entry.method === STORED ? ok(packed.slice()) : opened(packed, entry.size)
  if (!content.ok) return content
  return crc32(content.value) === entry.crc ? content : err('is damaged: its checksum differs')
}

/** The size is the directory's word: it was counted against the limits, and one byte more ends the opening. */
function opened(packed: Uint8Array, size: number): Result<Uint8Array<ArrayBuffer>, string> {
  const done = inflate(packed, size)
  if (!done.ok) return err(FAULT[done.error])
  if (done.value.content.byteLength !== size) return err('is shorter than its header says')
  return done.value.taken === packed.length ? ok(done.value.content) : err('has bytes behind its content')
}

const FAULT = {
  longer: 'is longer than its header says',
  damaged: 'is damaged',
  truncated: 'breaks off',
} as const
