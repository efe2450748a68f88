// From what the command line names to skills: folders at any depth, one SKILL.md, flat skills, archives. Judges nothing.

import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { err, ok } from '../../src/lib/result.ts'
import type { Failure, Result } from '../../src/lib/result.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { skillFolder } from '../../src/skills/package/skill-folder.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { findPackages } from '../build/find-packages.ts'
import { listPackage } from '../build/list-package.ts'

/** A skill that can be read when its turn comes: thousands of them would not fit into memory. */
export interface Source {
  /** Absolute: its folder, or the archive it is in. */
  readonly place: string
  /** In one archive: the place is a file, and the skill's files are inside it. */
  readonly packed: boolean
  /** Where a finding on this file is shown, as a path inside `place`. */
  readonly onDisk: (file: string) => string
  read(): Promise<Opened>
}

export interface Opened {
  /** Null when there is no SKILL.md to judge; the findings say why. */
  readonly files: FileMap | null
  /** What the skill should be called, '' when nothing says. */
  readonly folder: string
  readonly findings: readonly Finding[]
}

/** The skills at a path, or in words why there are none. */
export async function sourcesAt(path: string): Promise<Result<readonly Source[], string>> {
  const place = resolve(path)
  const there = await stat(place).catch(() => null)
  if (!there) return err(`${path}: there is no such folder or file.`)
  if (there.isFile() && !/\.md$/i.test(path)) return ok([archive(place, there.size)])
  const { packages, findings } = await findPackages(place)
  const wrong = findings.find(({ severity }) => severity === 'error')
  if (wrong) return err(`${wrong.file}: ${wrong.message}`)
  const left = findings.map(({ file }) => ` Name ${file} itself to check what is in it.`)
  if (packages.length === 0)
    return err(`${path}: there is no skill (a folder with SKILL.md) in it.${left.join('')}`)
  return ok(
    packages.map((skill) => ({
      place: skill.path,
      packed: false,
      onDisk: (file) => (file === SKILL_FILE ? skill.skillFile : file),
      async read() {
        const { files: listed, findings: notes } = await listPackage(skill, 'strict')
        if (!listed[0]) return { files: null, folder: skill.folder, findings: notes }
        const files = new Map(listed.map((file) => [file.path, new Uint8Array(readFileSync(file.disk))]))
        return { files, folder: skill.folder, findings: notes }
      },
    })),
  )
}

function archive(place: string, size: number): Source {
  return {
    place,
    packed: true,
    onDisk: (file) => file,
    async read() {
      if (size > ARCHIVE_BODY_MAX_BYTES) {
        const message = `The archive has ${size} bytes; at most ${ARCHIVE_BODY_MAX_BYTES} can be published.`
        return { files: null, folder: '', findings: [refused(message)] }
      }
      const unpacked = await unpackArchive(new Uint8Array(await readFile(place)))
      const folder = unpacked.ok ? skillFolder(unpacked.value) : unpacked
      if (folder.ok) return { files: folder.value.files, folder: folder.value.folder, findings: [] }
      return { files: null, folder: '', findings: refusals(folder.error, 'archive-refused') }
    },
  }
}

/** One finding for each file that a failure names, else one for the whole. */
export function refusals(failure: Failure, rule: string): Finding[] {
  const named = failure.errors ?? [{ path: SKILL_FILE, message: failure.detail }]
  return named.map(({ path, message }) => ({ ...refused(message), rule, file: path }))
}

function refused(message: string): Finding {
  const mend = 'Mend it and pack or check the skill again.'
  return { rule: 'archive-refused', severity: 'error', file: SKILL_FILE, line: null, message, mend }
}
