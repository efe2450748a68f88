// From what the command line names to skills: folders at any depth, one SKILL.md, flat skills, archives. Judges nothing.

import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { err, ok } from '../../src/lib/result.ts'
import type { Failure, Result } from '../../src/lib/result.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/api/skills/limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { skillFolder } from '../../src/skills/package/skill-folder.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { findPackages } from '../skill-folders/find-packages.ts'
import type { FoundSkill } from '../skill-folders/find-packages.ts'
import { listPackage } from '../skill-folders/list-package.ts'
import { errorCode } from '../skill-folders/note.ts'
import { readPackage } from '../skill-folders/read-package.ts'
import { unseenLine } from '../skill-folders/unseen.ts'
import type { Unseen } from '../skill-folders/unseen.ts'

/** Where a skill lies, for who reads about it. */
export interface SkillLocation {
  /** Absolute: its folder, the one file it is, or the archive it is in. */
  readonly place: string
  /** In an archive: its files have no paths of their own. */
  readonly packed: boolean
  /** Where one of its files is, absolute; in an archive as if that were a folder. */
  readonly at: (file: string) => string
}

/** A skill that is read when its turn comes: thousands of them would not fit into memory. Never rejects. */
export interface UncheckedSkill extends SkillLocation {
  readonly read: () => Promise<ReadSkill>
}

export interface ReadSkill {
  /** Without SKILL.md when there is none to judge; the findings say why. */
  readonly files: FileMap
  /** What the skill should be called, '' when nothing says. */
  readonly folder: string
  /** Where its files lie on disk; those of an archive are in memory alone. */
  readonly disks: ReadonlyMap<string, string>
  /** What was found before anything was judged: names, sizes, what is left out. */
  readonly findings: readonly Finding[]
}

export interface SkillsThere {
  readonly skills: readonly UncheckedSkill[]
  /** Folders with more of them that were not looked at. */
  readonly unseen: readonly Unseen[]
}

/** The skills at a path, or in words why there are none. */
export async function skillsAt(path: string): Promise<Result<SkillsThere, string>> {
  const place = resolve(path)
  const there = await stat(place).catch(() => null)
  if (!there) return err(`${path}: there is no such folder or file.`)
  if (there.isFile() && !/\.md$/i.test(path)) {
    const read = async (): Promise<ReadSkill> => readArchive(place, there.size)
    return ok({ skills: [{ place, packed: true, at: (file) => join(place, file), read }], unseen: [] })
  }
  const { packages, findings, unseen } = await findPackages(place)
  const wrong = findings.find(({ severity }) => severity === 'error')
  if (wrong) return err(`${wrong.file}: ${wrong.message}`)
  if (packages.length === 0) {
    const left = unseenLine(unseen, (folder) => folder)
    return err(
      `${path}: there is no skill (a folder with SKILL.md) in it.${left === null ? '' : `\n${left}`}`,
    )
  }
  const skills = packages.map((skill) => {
    const at = (file: string): string => join(skill.path, file === SKILL_FILE ? skill.skillFile : file)
    const here = skill.flat === true ? at(SKILL_FILE) : skill.path
    return { place: here, packed: false, at, read: async () => readFolder(skill) }
  })
  return ok({ skills, unseen })
}

export async function readFolder(skill: FoundSkill): Promise<ReadSkill> {
  const { files: listed, findings: notes } = await listPackage(skill, 'strict')
  const { contents: files, findings } = readPackage(listed, 'strict')
  const whole = files.size === 0 ? null : skillFolder(files)
  // What is wrong with the text of SKILL.md is said by who reads it.
  const refused =
    whole?.ok === false
      ? refusals(whole.error, 'package-refused').filter(
          ({ file }) => file !== SKILL_FILE || !whole.error.errors,
        )
      : []
  const disks = new Map(listed.map(({ path, disk }) => [path, disk]))
  return { files, folder: skill.folder, disks, findings: [...notes, ...findings, ...refused] }
}

async function readArchive(place: string, size: number): Promise<ReadSkill> {
  const nothing = { files: new Map(), folder: '', disks: new Map() }
  const refused = (failure: Failure, rule: string): ReadSkill => ({
    ...nothing,
    findings: refusals(failure, rule),
  })
  if (size > ARCHIVE_BODY_MAX_BYTES) {
    const detail = `The archive has ${size} bytes; at most ${ARCHIVE_BODY_MAX_BYTES} can be published.`
    return refused({ code: 'too_large', detail }, 'archive-refused')
  }
  const bytes = await readFile(place).catch(errorCode)
  if (typeof bytes === 'string')
    return refused(
      { code: 'invalid_skill', detail: `The file cannot be read (${bytes}).` },
      'file-unreadable',
    )
  const unpacked = await unpackArchive(new Uint8Array(bytes))
  const whole = unpacked.ok ? skillFolder(unpacked.value) : unpacked
  return whole.ok ? { ...nothing, ...whole.value, findings: [] } : refused(whole.error, 'archive-refused')
}

/** One finding for each file that a failure names, else one for the whole. */
function refusals({ errors, detail }: Failure, rule: string): Finding[] {
  const fix = 'Mend it and pack or check the skill again.'
  return (errors ?? [{ path: SKILL_FILE, message: detail }]).map(({ path: file, message }) => ({
    rule,
    severity: 'error',
    file,
    line: null,
    message,
    fix,
  }))
}
