// Lists the files of one skill with sizes and times, within the limits of a skill. Opens none of them. In strict
// mode, for publishing, a file that would be left out is an error, and excluded ones are reported.

import type { Dirent } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits/skills.ts'
import { SCAN_MAX_ENTRIES } from './limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import { checkSkillPath } from '../../src/skills/format/path.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { FoundSkill } from './find-packages.ts'
import { isSkipped, listDirectory } from './find-packages.ts'
import { innerLink } from './inner-link.ts'
import { refuseCredentials, noteLeftOut } from './left-out.ts'
import { startNotes } from './note.ts'
import type { Notes } from './note.ts'

export interface ListedFile {
  /** Relative to the skill, with `/`, NFC. */
  readonly path: string
  readonly disk: string
  readonly size: number
  /** Times of the last change of content and of metadata, in milliseconds with fractions. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Identifies the file: a link may point to another one with equal size and times. */
  readonly inode: number
}

export interface Listing {
  /** SKILL.md first. Empty if it cannot be read. */
  readonly files: readonly ListedFile[]
  readonly findings: readonly Finding[]
}

interface Seen {
  readonly path: string
  readonly disk: string
}

/** Leaves out what does not fit a skill, with a warning. Never rejects. */
export async function listPackage(skill: FoundSkill, mode: Mode): Promise<Listing> {
  const notes = startNotes(mode)
  if (skill.flat === true)
    notes.add(
      'skill-flat',
      'note',
      SKILL_FILE,
      `The file ${skill.skillFile} is the whole skill; it is kept as ${SKILL_FILE}.`,
      `For more files make it ${skill.folder}/${SKILL_FILE}.`,
    )
  else if (skill.skillFile !== SKILL_FILE) {
    const message = `The file is called ${skill.skillFile}; it is kept as ${SKILL_FILE}.`
    notes.add('skill-md-case', 'warning', SKILL_FILE, message, `Rename it to ${SKILL_FILE}.`)
  }
  const main = { path: SKILL_FILE, disk: join(skill.path, skill.skillFile) }
  const seen = skill.flat === true ? [] : await walk(skill.path, notes)
  const others = seen.filter((file) => file.disk !== main.disk && file.path !== main.path)
  return { files: await fitting([main, ...others], notes), findings: notes.findings }
}

/** The files within the limits, in order; none if the first, SKILL.md, exceeds them. */
async function fitting(seen: readonly Seen[], notes: Notes): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  let bytes = 0
  for (const { path, disk } of seen) {
    if (files.length >= SKILL_FILES_MAX) {
      const message = `The skill has more than ${SKILL_FILES_MAX} files: what begins here is too many.`
      notes.leave('too-many-files', path, message, 'Remove files or pack them.')
      break
    }
    try {
      const { size, mtimeMs, ctimeMs, ino: inode } = await stat(disk)
      if (size > SKILL_FILE_MAX_BYTES) {
        const message = `The file has ${size} bytes; the limit is ${SKILL_FILE_MAX_BYTES}.`
        if (path === SKILL_FILE)
          notes.add('file-too-large', 'error', path, message, 'Make it smaller or split it.')
        else notes.leave('file-too-large', path, message, 'Make it smaller or split it.')
      } else if (bytes + size > SKILL_BYTES_MAX) {
        const message = `With this file the skill would exceed ${SKILL_BYTES_MAX} bytes.`
        notes.leave('skill-too-large', path, message, 'Make the files smaller.')
      } else {
        bytes += size
        files.push({ path, disk, size, mtimeMs, ctimeMs, inode })
      }
    } catch (error) {
      notes.unreadable(error, path)
    }
    if (files.length === 0) return []
  }
  return files
}

async function walk(root: string, notes: Notes): Promise<Seen[]> {
  const files = new Map<string, string>()
  const queue = ['']
  const strict = notes.mode === 'strict'
  for (let at = 0; at < queue.length && files.size < SCAN_MAX_ENTRIES; at++) {
    const base = queue[at] ?? ''
    for (const entry of await entriesOf(root, base, notes)) {
      const path = base === '' ? entry.name : `${base}/${entry.name}`
      if (isSkipped(entry.name)) {
        if (strict) await noteLeftOut(root, path, entry, notes)
        continue
      }
      const checked = checkSkillPath(path)
      const link = entry.isSymbolicLink() ? await innerLink(root, path) : null
      const isFile = entry.isFile() || link === 'file'
      if (!checked.ok) notes.leave('path-refused', SKILL_FILE, checked.error, 'Rename it.')
      else if (entry.isDirectory()) queue.push(path)
      else if (refuseCredentials(checked.value, notes)) continue
      else if (isFile && files.has(checked.value)) {
        const message = 'Another file has the same name in other Unicode letters.'
        notes.leave('path-refused', checked.value, message, 'Rename one of the two.')
      } else if (isFile) files.set(checked.value, join(root, path))
      else if (link === 'folder') {
        const message = 'A link to a folder of the skill is left out: its files are included only once.'
        notes.add('not-a-file', 'note', checked.value, message, 'Refer to the files by their own path.')
      } else {
        const message = `Links that leave the skill, and special files, are ${strict ? 'refused' : 'left out'}.`
        notes.add('not-a-file', strict ? 'error' : 'note', checked.value, message, 'Copy the file itself.')
      }
    }
  }
  return Array.from(files, ([path, disk]) => ({ path, disk })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function entriesOf(root: string, base: string, notes: Notes): Promise<readonly Dirent[]> {
  return listDirectory(join(root, base)).catch((error: unknown) => {
    if (notes.mode === 'strict') notes.unreadable(error, base === '' ? SKILL_FILE : base)
    return []
  })
}
