// Finds the skills at a path of the command line: folders at any depth, one SKILL.md, single-file skills, archives.
// Checks nothing.

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

/** Where a skill is, for display. */
export interface SkillLocation {
  /** Absolute: its folder, its only file, or its archive. */
  readonly location: string
  /** In an archive: its files have no paths of their own. */
  readonly packed: boolean
  /** The absolute path of one of its files; an archive counts as a folder. */
  readonly at: (file: string) => string
}

/** A skill that is read when it is checked: thousands would not fit into memory. Never rejects. */
export interface UncheckedSkill extends SkillLocation {
  readonly read: () => Promise<ReadSkill>
}

export interface ReadSkill {
  /** Without SKILL.md if there is none to check; the findings give the reason. */
  readonly files: FileMap
  /** The expected name of the skill, '' if none is given. */
  readonly folder: string
  /** Paths of its files on disk; those of an archive exist only in memory. */
  readonly disks: ReadonlyMap<string, string>
  /** Findings from reading: names, sizes, files left out. */
  readonly findings: readonly Finding[]
}

export interface SkillsThere {
  readonly skills: readonly UncheckedSkill[]
  /** Folders with further skills that were not searched. */
  readonly unseen: readonly Unseen[]
}

/** The skills at a path, or why there are none. */
export async function skillsAt(path: string): Promise<Result<SkillsThere, string>> {
  const location = resolve(path)
  const there = await stat(location).catch(() => null)
  if (!there) return err(`${path}: there is no such folder or file.`)
  if (there.isFile() && !/\.md$/i.test(path)) {
    const read = async (): Promise<ReadSkill> => readArchive(location, there.size)
    return ok({
      skills: [{ location, packed: true, at: (file) => join(location, file), read }],
      unseen: [],
    })
  }
  const { packages, findings, unseen } = await findPackages(location)
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
    return { location: here, packed: false, at, read: async () => readFolder(skill) }
  })
  return ok({ skills, unseen })
}

export async function readFolder(skill: FoundSkill): Promise<ReadSkill> {
  const { files: listed, findings: notes } = await listPackage(skill, 'strict')
  const { contents: files, findings } = readPackage(listed, 'strict')
  const whole = files.size === 0 ? null : skillFolder(files)
  // The reader reports errors in the text of SKILL.md.
  const refused =
    whole?.ok === false
      ? refusals(whole.error, 'package-refused').filter(
          ({ file }) => file !== SKILL_FILE || !whole.error.errors,
        )
      : []
  const disks = new Map(listed.map(({ path, disk }) => [path, disk]))
  return { files, folder: skill.folder, disks, findings: [...notes, ...findings, ...refused] }
}

async function readArchive(location: string, size: number): Promise<ReadSkill> {
  const nothing = { files: new Map(), folder: '', disks: new Map() }
  const refused = (failure: Failure, rule: string): ReadSkill => ({
    ...nothing,
    findings: refusals(failure, rule),
  })
  if (size > ARCHIVE_BODY_MAX_BYTES) {
    const detail = `The archive has ${size} bytes; at most ${ARCHIVE_BODY_MAX_BYTES} can be published.`
    return refused({ code: 'too_large', detail }, 'archive-refused')
  }
  const bytes = await readFile(location).catch(errorCode)
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
  const fix = 'Fix it, then pack or check the skill again.'
  return (errors ?? [{ path: SKILL_FILE, message: detail }]).map(({ path: file, message }) => ({
    rule,
    severity: 'error',
    file,
    line: null,
    message,
    fix,
  }))
}
