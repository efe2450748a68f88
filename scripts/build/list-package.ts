// Lists the files of one skill with their sizes and times, within the limits of a skill. Opens none of them.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SCAN_MAX_ENTRIES, SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { checkSkillPath } from '../../src/skills/format/path.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { SkillFolder } from './find-packages.ts'
import { isSkipped, listDirectory } from './find-packages.ts'

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
export async function listPackage(skill: SkillFolder): Promise<Listing> {
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
  const seen = skill.flat === true ? [] : await walk(skill.path, note)
  const others = seen.filter((file) => file.disk !== main.disk && file.path !== main.path)
  return { files: await fitting([main, ...others], note), findings }
}

export type Note = (
  rule: string,
  severity: Finding['severity'],
  file: string,
  message: string,
  mend: string,
) => void

/** Those of the files that are within the limits, in their order; none when the first, SKILL.md, is not. */
async function fitting(seen: readonly Seen[], note: Note): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  let bytes = 0
  for (const [at, { path, disk }] of seen.entries()) {
    if (files.length >= SKILL_FILES_MAX) {
      const message = `The skill has more than ${SKILL_FILES_MAX} files; the rest, from here on, is left out.`
      note('too-many-files', 'warning', path, message, 'Remove files or pack them.')
      break
    }
    const severity = at === 0 ? 'error' : 'warning'
    const info = await stat(disk).catch((error: unknown) => unreadable(error, path, severity, note))
    if (info && info.size > SKILL_FILE_MAX_BYTES) {
      const message = `The file has ${info.size} bytes; the limit is ${SKILL_FILE_MAX_BYTES}. It is left out.`
      note('file-too-large', severity, path, message, 'Make it smaller or split it.')
    } else if (info && bytes + info.size > SKILL_BYTES_MAX) {
      const message = `With this file the skill would exceed ${SKILL_BYTES_MAX} bytes; it is left out.`
      note('skill-too-large', 'warning', path, message, 'Make the files smaller.')
    } else if (info) {
      bytes += info.size
      files.push({ path, disk, size: info.size, mtimeMs: info.mtimeMs, ctimeMs: info.ctimeMs })
    }
    if (files.length === 0) return []
  }
  return files
}

/** Says so. The error's code alone: its message would carry the path of this machine into the index. */
export function unreadable(error: unknown, path: string, severity: 'error' | 'warning', note: Note): null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  note('file-unreadable', severity, path, `The file cannot be read (${code}).`, 'Check its permissions.')
  return null
}

async function walk(root: string, note: Note): Promise<Seen[]> {
  const files: Seen[] = []
  const paths = new Set<string>()
  const queue = ['']
  for (let at = 0; at < queue.length && files.length < SCAN_MAX_ENTRIES; at++) {
    const base = queue[at] ?? ''
    for (const entry of await listDirectory(join(root, base)).catch(() => [])) {
      if (isSkipped(entry.name)) continue
      const path = base === '' ? entry.name : `${base}/${entry.name}`
      const checked = checkSkillPath(path)
      if (!checked.ok)
        note('path-refused', 'warning', SKILL_FILE, `${checked.error} It is left out.`, 'Rename it.')
      else if (entry.isDirectory()) queue.push(path)
      else if (entry.isFile() && paths.has(checked.value)) {
        const message = 'Another file has the same name in other Unicode letters; this one is left out.'
        note('path-refused', 'warning', checked.value, message, 'Rename one of the two.')
      } else if (entry.isFile()) {
        paths.add(checked.value)
        files.push({ path: checked.value, disk: join(root, path) })
      } else
        note(
          'not-a-file',
          'note',
          checked.value,
          'Links and special files are left out.',
          'Copy the file itself.',
        )
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}
