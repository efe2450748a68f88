// The files that a command sees: the thread's files as they are when the command starts, and the files of the skills
// that the command may see. Fetches bytes on demand. Writes nothing.

import type { ToolNote } from '../agent/tool.ts'
import type { FileAccess, FileRow } from '../files/access.ts'
import { fullPath } from '../files/path.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { ExpiringCache } from '../lib/expiring-cache.ts'
import { DAY_MS } from '../lib/clock.ts'
import {
  SANDBOX_READ_MAX_BYTES,
  SANDBOX_CACHED_SIZES_MAX,
  SANDBOX_SKILL_FILES_SIZED_MAX,
  SANDBOX_SKILLS_LISTED_MAX,
} from './limits.ts'
import { KeptParts } from './kept-parts.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { rootOf, type IndexEntry } from '../skills/skill.ts'
import type { ByteRange, GuestFile, HostPiece } from './guest.ts'

/** The tree of one command. */
export interface CommandTree {
  readonly files: readonly GuestFile[]
  /** A digest of all paths and contents. */
  readonly digest: string
  /**
   * The SHA-256 that a file had before the command, or null if it did not exist. The path is relative to
   * /mnt/user-data.
   */
  sha256Before(path: string): string | null
  /** Reads a file or a range of it; null if it does not exist. Rejects with a message if it is unreadable. */
  read(path: string, range?: ByteRange): Promise<Uint8Array | null>
  /** Keeps bytes until `release`, for `read`. Rejects with a message if there is no space. */
  keep(bytes: Uint8Array): Promise<HostPiece>
  /** Ends the command: removes what was kept. */
  release(): Promise<void>
  /** Notes about the skill files that were read. */
  notes(): readonly ToolNote[]
}

interface Source {
  readonly file: GuestFile
  /** Identifies the content. */
  readonly version: string
  read(range?: ByteRange): Promise<Uint8Array>
}

/**
 * The sizes of skill files by SHA-256. They are known only after reading, because the file list does not
 * contain them.
 */
const sizes = new ExpiringCache<number>(SANDBOX_CACHED_SIZES_MAX, DAY_MS)

/**
 * Builds the tree for a command. Active skills, and skills that the command names, have all their files; other skills
 * have only SKILL.md.
 */
export async function treeOf(command: string, files: FileAccess, skills: SkillAccess): Promise<CommandTree> {
  const rows = new Map(files.list().map((row) => [row.path, row]))
  const sources = new Map<string, Source>()
  const notes = new Map<string, ToolNote>()
  for (const row of rows.values()) sources.set(fullPath(row.path), threadSource(row, files))
  const completeSkills = completeSkillNames(command, skills)
  const listed = skills.list()
  if (listed.length <= SANDBOX_SKILLS_LISTED_MAX)
    for (const entry of listed) {
      const source = skillSource(entry, { path: 'SKILL.md', sha256: entry.body }, skills, notes)
      sources.set(source.file.path, source)
    }
  const skillSources = await Promise.all([...completeSkills].map((name) => filesOf(name, skills, notes)))
  for (const source of skillSources.flat()) sources.set(source.file.path, source)
  const all = [...sources.values()]
  const kept = new KeptParts(files)
  return {
    files: all.map(({ file }) => file),
    digest: await sha256Hex(all.map(({ file, version }) => `${file.path}\0${version}\n`).join('')),
    sha256Before: (path) => rows.get(path)?.sha256 ?? null,
    read: async (path, range) =>
      kept.has(path) ? kept.read(path, range) : ((await sources.get(path)?.read(range)) ?? null),
    keep: async (bytes) => kept.keep(bytes),
    release: async () => kept.release(),
    notes: () => [...notes.values()],
  }
}

/** The names of the skills that are included with all their files. */
function completeSkillNames(command: string, skills: SkillAccess): ReadonlySet<string> {
  const named = new Set(command.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [])
  const names = skills.list().filter(({ name }) => named.has(name))
  return new Set([...skills.active(), ...names].map(({ name }) => name))
}

function threadSource(row: FileRow, files: FileAccess): Source {
  const path = fullPath(row.path)
  return {
    file: { path, bytes: row.bytes, writable: true },
    version: row.sha256,
    async read(range) {
      const { offset, length } = range ?? { offset: 0, length: row.bytes }
      if (length > SANDBOX_READ_MAX_BYTES) throw new Error(tooLargeMessage(path, length))
      const isInside = offset >= 0 && length >= 0 && offset + length <= row.bytes
      if (!isInside) throw new Error(`${path} has only ${row.bytes} bytes`)
      const bytes = await (length === row.bytes ? files.read(row) : files.readRange(row, offset, length))
      if (!bytes.ok) throw new Error(bytes.error)
      return bytes.value
    },
  }
}

/** The files of a skill; empty if it cannot be loaded. Reading its SKILL.md then reports why. */
async function filesOf(
  name: string,
  skills: SkillAccess,
  notes: Map<string, ToolNote>,
): Promise<readonly Source[]> {
  const loaded = await skills.files(name)
  if (!loaded.ok) return []
  const { entry, files } = loaded.value
  if (files.length <= SANDBOX_SKILL_FILES_SIZED_MAX) {
    const unsizedFiles = files.filter(({ sha256 }) => sizes.get(sha256, 0) === undefined)
    await Promise.all(
      unsizedFiles.map(async ({ path, sha256 }) => {
        const read = await skills.read(name, path, true)
        if (read.ok) sizes.set(sha256, read.value.bytes.length, 0)
      }),
    )
  }
  return files.map((file) => skillSource(entry, file, skills, notes))
}

function skillSource(
  entry: IndexEntry,
  { path, sha256 }: { readonly path: string; readonly sha256: string },
  skills: SkillAccess,
  notes: Map<string, ToolNote>,
): Source {
  const full = `${rootOf(entry)}/${path}`
  const { name, category, digest } = entry
  return {
    // If the size is unknown, it is estimated from the size of the instructions, and is never 0.
    file: { path: full, bytes: sizes.get(sha256, 0) ?? Math.max(1, entry.tokens.body * 4), writable: false },
    version: sha256,
    async read(range) {
      const read = await skills.read(name, path, true)
      if (!read.ok) throw new Error(read.error)
      const { bytes } = read.value
      if (bytes.length > SANDBOX_READ_MAX_BYTES) throw new Error(tooLargeMessage(full, bytes.length))
      sizes.set(sha256, bytes.length, 0)
      notes.set(full, { type: 'resource', skill: name, category, digest, path })
      return range ? bytes.slice(range.offset, range.offset + range.length) : bytes
    },
  }
}

function tooLargeMessage(path: string, bytes: number): string {
  return `${path} has ${bytes} bytes; at most ${SANDBOX_READ_MAX_BYTES} can be read at once`
}
