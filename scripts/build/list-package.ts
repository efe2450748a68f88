// Lists the files of one skill with their sizes and times, within the limits of a skill. Opens none of them. Strict,
// for publishing: what would have to be left out is an error, and what is never taken is said.

import type { Dirent } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits.ts'
import { SCAN_MAX_ENTRIES } from '../limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import { checkSkillPath } from '../../src/skills/format/path.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { FoundSkill } from './find-packages.ts'
import { isSkipped, listDirectory } from './find-packages.ts'
import { innerLink } from './inner-link.ts'
import { refuseCredentials, sayLeftOut } from './left-out.ts'
import { gradeOf, unreadable } from './note.ts'
import type { Note } from './note.ts'

export interface ListedFile {
  /** Relative to the skill, with `/`, NFC. */
  readonly path: string
  readonly disk: string
  readonly size: number
  /** Times of the last change of content and of anything, in milliseconds with fractions. */
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export interface Listing {
  /** SKILL.md first. Empty when there is none to read. */
  readonly files: readonly ListedFile[]
  readonly findings: readonly Finding[]
}

interface Seen {
  readonly path: string
  readonly disk: string
}

/** What does not fit a skill is left out with a warning; the rest stays. Never rejects. */
export async function listPackage(skill: FoundSkill, mode: Mode = 'lenient'): Promise<Listing> {
  const findings: Finding[] = []
  const note: Note = (rule, severity, file, message, mend) =>
    // SKILL.md has lines to show; of other files the finding is about the whole.
    findings.push({ rule, severity, file, line: file === SKILL_FILE ? 1 : null, message, mend })
  if (skill.flat === true)
    note(
      'skill-flat',
      'note',
      SKILL_FILE,
      `The file ${skill.skillFile} is the whole skill; it is kept as ${SKILL_FILE}.`,
      `For more files make it ${skill.folder}/${SKILL_FILE}.`,
    )
  else if (skill.skillFile !== SKILL_FILE) {
    const message = `The file is called ${skill.skillFile}; it is kept as ${SKILL_FILE}.`
    note('skill-md-case', 'warning', SKILL_FILE, message, `Rename it to ${SKILL_FILE}.`)
  }
  const main = { path: SKILL_FILE, disk: join(skill.path, skill.skillFile) }
  const seen = skill.flat === true ? [] : await walk(skill.path, mode, note)
  const others = seen.filter((file) => file.disk !== main.disk && file.path !== main.path)
  return { files: await fitting([main, ...others], mode, note), findings }
}

/** Those of the files that are within the limits, in their order; none when the first, SKILL.md, is not. */
async function fitting(seen: readonly Seen[], mode: Mode, note: Note): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  const dropped = gradeOf(mode)
  const leftOut = mode === 'strict' ? '' : ' It is left out.'
  let bytes = 0
  for (const [at, { path, disk }] of seen.entries()) {
    if (files.length >= SKILL_FILES_MAX) {
      const rest = mode === 'strict' ? '' : ' The rest, from here on, is left out.'
      const message = `The skill has more than ${SKILL_FILES_MAX} files.${rest}`
      note('too-many-files', dropped, path, message, 'Remove files or pack them.')
      break
    }
    const severity = at === 0 ? 'error' : dropped
    const info = await stat(disk).catch((error: unknown) => unreadable(error, path, severity, note))
    if (info && info.size > SKILL_FILE_MAX_BYTES) {
      const message = `The file has ${info.size} bytes; the limit is ${SKILL_FILE_MAX_BYTES}.${leftOut}`
      note('file-too-large', severity, path, message, 'Make it smaller or split it.')
    } else if (info && bytes + info.size > SKILL_BYTES_MAX) {
      const message = `With this file the skill would exceed ${SKILL_BYTES_MAX} bytes.${leftOut}`
      note('skill-too-large', dropped, path, message, 'Make the files smaller.')
    } else if (info) {
      bytes += info.size
      files.push({ path, disk, size: info.size, mtimeMs: info.mtimeMs, ctimeMs: info.ctimeMs })
    }
    if (files.length === 0) return []
  }
  return files
}

async function walk(root: string, mode: Mode, note: Note): Promise<Seen[]> {
  const files: Seen[] = []
  const paths = new Set<string>()
  const queue = ['']
  const strict = mode === 'strict'
  const leftOut = strict ? '' : ' It is left out.'
  for (let at = 0; at < queue.length && files.length < SCAN_MAX_ENTRIES; at++) {
    const base = queue[at] ?? ''
    for (const entry of await entriesOf(root, base, mode, note)) {
      const path = base === '' ? entry.name : `${base}/${entry.name}`
      if (isSkipped(entry.name)) {
        if (strict) await sayLeftOut(root, path, entry, note)
        continue
      }
      const checked = checkSkillPath(path)
      const link = entry.isSymbolicLink() ? await innerLink(root, path) : null
      const isFile = entry.isFile() || link === 'file'
      if (!checked.ok)
        note('path-refused', gradeOf(mode), SKILL_FILE, `${checked.error}${leftOut}`, 'Rename it.')
      else if (entry.isDirectory()) queue.push(path)
      else if (refuseCredentials(checked.value, mode, note)) continue
      else if (isFile && paths.has(checked.value)) {
        const message = `Another file has the same name in other Unicode letters.${leftOut}`
        note('path-refused', gradeOf(mode), checked.value, message, 'Rename one of the two.')
      } else if (isFile) {
        paths.add(checked.value)
        files.push({ path: checked.value, disk: join(root, path) })
      } else if (link === 'folder') {
        const message = 'A link to a folder of the skill is left out: what lies there travels once.'
        note('not-a-file', 'note', checked.value, message, 'Name the files where they lie.')
      } else {
        const message = `Links that leave the skill, and special files, are ${strict ? 'refused' : 'left out'}.`
        note('not-a-file', strict ? 'error' : 'note', checked.value, message, 'Copy the file itself.')
      }
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function entriesOf(root: string, base: string, mode: Mode, note: Note): Promise<readonly Dirent[]> {
  return listDirectory(join(root, base)).catch((error: unknown) => {
    if (mode === 'strict') unreadable(error, base === '' ? SKILL_FILE : base, 'error', note)
    return []
  })
}
