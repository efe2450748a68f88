// Finds the skills at a path given on the command line: in folders at any depth, as one SKILL.md, as single files, or
// in an archive. Does not check them.

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
import { unsearchedMessage } from '../skill-folders/unseen.ts'
import type { UnsearchedFolder } from '../skill-folders/unseen.ts'

/** Where a skill is, for display. */
export interface SkillLocation {
  /** The absolute path of its folder, its only file or its archive. */
  readonly location: string
  /** True if the skill is in an archive, so that its files have no separate paths. */
  readonly isArchived: boolean
  /** Returns the absolute path of a file of the skill, as if an archive were a folder. */
  readonly fileLocation: (file: string) => string
}

/** A skill that is read only when it is checked, because thousands would not fit into memory. `read` never rejects. */
export interface UncheckedSkill extends SkillLocation {
  readonly read: () => Promise<ReadSkill>
}

export interface ReadSkill {
  /** The files. If SKILL.md is not among them, the findings say why. */
  readonly files: FileMap
  /** The expected name of the skill, or '' if unknown. */
  readonly folder: string
  /** The paths of the files on disk. Empty for an archive. */
  readonly diskPaths: ReadonlyMap<string, string>
  /** The findings from reading the skill: about names, sizes and files that were left out. */
  readonly findings: readonly Finding[]
}

export interface FoundSkills {
  readonly skills: readonly UncheckedSkill[]
  /** Folders that contain more skills but were not searched. */
  readonly unsearched: readonly UnsearchedFolder[]
}

/** The skills at a path, or why there are none. */
export async function skillsAt(path: string): Promise<Result<FoundSkills, string>> {
  const location = resolve(path)
  const info = await stat(location).catch(() => null)
  if (!info) return err(`${path}: This file or folder does not exist.`)
  if (info.isFile() && !/\.md$/i.test(path)) {
    const read = async (): Promise<ReadSkill> => readArchive(location, info.size)
    return ok({
      skills: [{ location, isArchived: true, fileLocation: (file) => join(location, file), read }],
      unsearched: [],
    })
  }
  const { packages, findings, unsearched } = await findPackages(location)
  const error = findings.find(({ severity }) => severity === 'error')
  if (error) return err(`${error.file}: ${error.message}`)
  if (packages.length === 0) {
    const unsearchedLine = unsearchedMessage(unsearched, (folder) => folder)
    return err(
      `${path}: This folder contains no skill (a folder with a SKILL.md).${unsearchedLine === null ? '' : `\n${unsearchedLine}`}`,
    )
  }
  const skills = packages.map((skill) => {
    const fileLocation = (file: string): string =>
      join(skill.path, file === SKILL_FILE ? skill.skillFile : file)
    const here = skill.flat === true ? fileLocation(SKILL_FILE) : skill.path
    return { location: here, isArchived: false, fileLocation, read: async () => readFolder(skill) }
  })
  return ok({ skills, unsearched })
}

export async function readFolder(skill: FoundSkill): Promise<ReadSkill> {
  const { files: listed, findings: notes } = await listPackage(skill, 'strict')
  const { contents: files, findings } = readPackage(listed, 'strict')
  const folder = files.size === 0 ? null : skillFolder(files)
  // Errors in the text of SKILL.md are left out, because parsing reports them.
  const refused =
    folder?.ok === false
      ? refusals(folder.error, 'package-refused').filter(
          ({ file }) => file !== SKILL_FILE || !folder.error.errors,
        )
      : []
  const diskPaths = new Map(listed.map(({ path, diskPath }) => [path, diskPath]))
  return { files, folder: skill.folder, diskPaths, findings: [...notes, ...findings, ...refused] }
}

async function readArchive(location: string, size: number): Promise<ReadSkill> {
  const empty = { files: new Map(), folder: '', diskPaths: new Map() }
  const refused = (failure: Failure, rule: string): ReadSkill => ({
    ...empty,
    findings: refusals(failure, rule),
  })
  if (size > ARCHIVE_BODY_MAX_BYTES) {
    const detail = `The archive has ${size} bytes; the limit is ${ARCHIVE_BODY_MAX_BYTES}.`
    return refused({ code: 'too_large', detail }, 'archive-refused')
  }
  const bytes = await readFile(location).catch(errorCode)
  if (typeof bytes === 'string')
    return refused(
      { code: 'invalid_skill', detail: `The file cannot be read (${bytes}).` },
      'file-unreadable',
    )
  const unpacked = await unpackArchive(new Uint8Array(bytes))
  const folder = unpacked.ok ? skillFolder(unpacked.value) : unpacked
  return folder.ok ? { ...empty, ...folder.value, findings: [] } : refused(folder.error, 'archive-refused')
}

/** A finding for each file that a failure names, or a single one for the skill. */
function refusals({ errors, detail }: Failure, rule: string): Finding[] {
  const fix = 'Correct this, then pack or check the skill again.'
  return (errors ?? [{ path: SKILL_FILE, message: detail }]).map(({ path: file, message }) => ({
    rule,
    severity: 'error',
    file,
    line: null,
    message,
    fix,
  }))
}
