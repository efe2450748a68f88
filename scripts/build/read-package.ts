// Reads the files of one skill folder into memory, within the limits of a skill. Parses nothing.

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SCAN_MAX_ENTRIES, SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../src/limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { checkSkillPath } from '../../src/skills/format/path.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { SkillFolder } from './find-packages.ts'
import { isSkipped, listDirectory } from './find-packages.ts'

export interface PackageFile {
  /** Relative to the skill, with `/`, NFC. */
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sha256: string
}

export interface Package {
  /** SKILL.md first. Empty when it cannot be read. */
  readonly files: readonly PackageFile[]
  readonly findings: readonly Finding[]
}

interface Listed {
  readonly path: string
  readonly disk: string
}

export async function sha256(data: Uint8Array | string): Promise<string> {
  return createHash('sha256').update(data).digest('hex')
}

/** What does not fit a skill is left out with a warning; the rest stays. Never rejects. */
export async function readPackage(skill: SkillFolder): Promise<Package> {
  const findings: Finding[] = []
  const note: Note = (rule, severity, file, message, mend) =>
    findings.push({ rule, severity, file, line: null, message, mend })
  if (skill.skillFile !== SKILL_FILE) {
    const message = `The file is called ${skill.skillFile}; it is kept as ${SKILL_FILE}.`
    note('skill-md-case', 'warning', SKILL_FILE, message, `Rename it to ${SKILL_FILE}.`)
  }
  const main: Listed = { path: SKILL_FILE, disk: join(skill.path, skill.skillFile) }
  const others = (await listFiles(skill.path, note)).filter(
    (file) => file.disk !== main.disk && file.path !== main.path,
  )
  const files: PackageFile[] = []
  let bytes = 0
  for (const listed of [main, ...others]) {
    if (files.length >= SKILL_FILES_MAX) {
      const message = `The skill has more than ${SKILL_FILES_MAX} files; the rest, from here on, is left out.`
      note('too-many-files', 'warning', listed.path, message, 'Remove files or pack them.')
      break
    }
    const file = await readOne(listed, note)
    if (!file) {
      if (listed === main) break
      continue
    }
    if (bytes + file.bytes.length > SKILL_BYTES_MAX) {
      const message = `With this file the skill would exceed ${SKILL_BYTES_MAX} bytes; it is left out.`
      note('skill-too-large', 'warning', listed.path, message, 'Make the files smaller.')
      continue
    }
    bytes += file.bytes.length
    files.push(file)
  }
  return { files, findings }
}

type Note = (rule: string, severity: Finding['severity'], file: string, message: string, mend: string) => void

async function readOne(listed: Listed, note: Note): Promise<PackageFile | null> {
  const severity = listed.path === SKILL_FILE ? 'error' : 'warning'
  try {
    const { size } = await stat(listed.disk)
    if (size > SKILL_FILE_MAX_BYTES) {
      const message = `The file has ${size} bytes; the limit is ${SKILL_FILE_MAX_BYTES}. It is left out.`
      note('file-too-large', severity, listed.path, message, 'Make it smaller or split it.')
      return null
    }
    const bytes = new Uint8Array(await readFile(listed.disk))
    return { path: listed.path, bytes, sha256: await sha256(bytes) }
  } catch (error) {
    // The code alone: a message would carry the path of this machine into the index.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    note(
      'file-unreadable',
      severity,
      listed.path,
      `The file cannot be read (${code}).`,
      'Check its permissions.',
    )
    return null
  }
}

async function listFiles(root: string, note: Note): Promise<Listed[]> {
  const files: Listed[] = []
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
      else if (entry.isFile()) files.push({ path: checked.value, disk: join(root, path) })
      else
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
