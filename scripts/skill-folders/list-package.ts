// Lists the files of one skill with their sizes and times, within the limits of a skill. Does not open them. In strict
// mode, for publishing, files that are left out are errors.

import type { Dirent } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits/skills.ts'
import { SCAN_MAX_ENTRIES } from './limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import { checkSkillPath } from '../../src/skills/format/path.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { FoundSkill } from './find-packages.ts'
import { isSkipped, listDirectory } from './find-packages.ts'
import { innerLinkType } from './inner-link.ts'
import { refuseCredentials, noteLeftOut } from './left-out.ts'
import { createNotes } from './note.ts'
import type { Notes } from './note.ts'

export interface ListedFile {
  /** The path relative to the skill, with `/` and in NFC. */
  readonly path: string
  readonly diskPath: string
  readonly size: number
  /** When the content and the metadata were last changed, in milliseconds with fractions. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Identifies the file, because a link may be changed to another file with the same size and times. */
  readonly inode: number
}

export interface Listing {
  /** The files, SKILL.md first. Empty if SKILL.md cannot be read. */
  readonly files: readonly ListedFile[]
  readonly findings: readonly Finding[]
}

interface DiskFile {
  readonly path: string
  readonly diskPath: string
}

/** Lists the files of a skill. Leaves out those that are not allowed in a skill, with a warning. Never rejects. */
export async function listPackage(skill: FoundSkill, mode: Mode): Promise<Listing> {
  const notes = createNotes(mode)
  if (skill.flat === true)
    notes.add(
      'skill-flat',
      'note',
      SKILL_FILE,
      `The skill consists only of the file ${skill.skillFile}, which is stored as ${SKILL_FILE}.`,
      `To add more files, move it to ${skill.folder}/${SKILL_FILE}.`,
    )
  else if (skill.skillFile !== SKILL_FILE) {
    const message = `The file is named ${skill.skillFile}; it is stored as ${SKILL_FILE}.`
    notes.add('skill-md-case', 'warning', SKILL_FILE, message, `Rename it to ${SKILL_FILE}.`)
  }
  const main = { path: SKILL_FILE, diskPath: join(skill.path, skill.skillFile) }
  const diskFiles = skill.flat === true ? [] : await walk(skill.path, notes)
  const otherFiles = diskFiles.filter((file) => file.diskPath !== main.diskPath && file.path !== main.path)
  return { files: await filesWithinLimits([main, ...otherFiles], notes), findings: notes.findings }
}

/** The files within the limits, in order. Empty if the first file, SKILL.md, exceeds them. */
async function filesWithinLimits(diskFiles: readonly DiskFile[], notes: Notes): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  let bytes = 0
  for (const { path, diskPath } of diskFiles) {
    if (files.length >= SKILL_FILES_MAX) {
      const message = `The skill has more than ${SKILL_FILES_MAX} files. This is the first one beyond the limit.`
      notes.leaveOut('too-many-files', path, message, 'Remove files, or combine several into one.')
      break
    }
    try {
      const { size, mtimeMs, ctimeMs, ino: inode } = await stat(diskPath)
      if (size > SKILL_FILE_MAX_BYTES) {
        const message = `The file has ${size} bytes; the limit is ${SKILL_FILE_MAX_BYTES}.`
        if (path === SKILL_FILE)
          notes.add('file-too-large', 'error', path, message, 'Make it smaller or split it.')
        else notes.leaveOut('file-too-large', path, message, 'Make it smaller or split it.')
      } else if (bytes + size > SKILL_MAX_BYTES) {
        const message = `With this file the skill would exceed ${SKILL_MAX_BYTES} bytes.`
        notes.leaveOut('skill-too-large', path, message, 'Make the files smaller.')
      } else {
        bytes += size
        files.push({ path, diskPath, size, mtimeMs, ctimeMs, inode })
      }
    } catch (error) {
      notes.unreadable(error, path)
    }
    if (files.length === 0) return []
  }
  return files
}

async function walk(root: string, notes: Notes): Promise<DiskFile[]> {
  const files = new Map<string, string>()
  const queue = ['']
  const isStrict = notes.mode === 'strict'
  for (let index = 0; index < queue.length && files.size < SCAN_MAX_ENTRIES; index++) {
    const base = queue[index] ?? ''
    for (const entry of await entriesOf(root, base, notes)) {
      const path = base === '' ? entry.name : `${base}/${entry.name}`
      if (isSkipped(entry.name)) {
        if (isStrict) await noteLeftOut(root, path, entry, notes)
        continue
      }
      const checked = checkSkillPath(path)
      const link = entry.isSymbolicLink() ? await innerLinkType(root, path) : null
      const isFile = entry.isFile() || link === 'file'
      if (!checked.ok) notes.leaveOut('path-refused', SKILL_FILE, checked.error, 'Rename it.')
      else if (entry.isDirectory()) queue.push(path)
      else if (refuseCredentials(checked.value, notes)) continue
      else if (isFile && files.has(checked.value)) {
        const message = 'Another file has the same name in a different Unicode normalization form.'
        notes.leaveOut('path-refused', checked.value, message, 'Rename one of the two.')
      } else if (isFile) files.set(checked.value, join(root, path))
      else if (link === 'folder') {
        const message =
          'A link to a folder in the skill is left out, because its files are included only once.'
        notes.add(
          'not-a-file',
          'note',
          checked.value,
          message,
          'Refer to the files by the path of that folder.',
        )
      } else {
        const message = `Links to files outside of the skill, and special files, are ${isStrict ? 'refused' : 'left out'}.`
        notes.add(
          'not-a-file',
          isStrict ? 'error' : 'note',
          checked.value,
          message,
          'Replace it with a copy of the file.',
        )
      }
    }
  }
  return Array.from(files, ([path, diskPath]) => ({ path, diskPath })).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
}

async function entriesOf(root: string, base: string, notes: Notes): Promise<readonly Dirent[]> {
  return listDirectory(join(root, base)).catch((error: unknown) => {
    if (notes.mode === 'strict') notes.unreadable(error, base === '' ? SKILL_FILE : base)
    return []
  })
}
