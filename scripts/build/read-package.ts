// Reads the files of one skill once, for their hashes, one at a time; keeps the bytes of SKILL.md alone. Parses nothing.

import { readFileSync } from 'node:fs'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { sha256Of } from './blob.ts'
import type { ListedFile } from './list-package.ts'
import { gradeOf, unreadable } from './note.ts'
import type { Note } from './note.ts'

export interface PackageFile {
  /** Relative to the skill, with `/`, NFC. */
  readonly path: string
  readonly disk: string
  readonly size: number
  readonly sha256: string
}

interface ReadPackage {
  /** SKILL.md first. */
  readonly files: readonly PackageFile[]
  /** The bytes of SKILL.md; null when it cannot be read, and then there are no files. */
  readonly main: Uint8Array<ArrayBuffer> | null
  readonly findings: readonly Finding[]
}

/** A file that cannot be read is left out with a warning; strict, that is an error. Never rejects. */
export async function readPackage(
  listed: readonly ListedFile[],
  mode: Mode = 'lenient',
): Promise<ReadPackage> {
  const findings: Finding[] = []
  const note: Note = (rule, severity, file, message, mend) =>
    findings.push({ rule, severity, file, line: null, message, mend })
  const files: PackageFile[] = []
  let main: Uint8Array<ArrayBuffer> | null = null
  for (const { path, disk } of listed) {
    const first = path === SKILL_FILE
    try {
      // At once: for files this small the way through the thread pool costs four times the reading.
      const bytes = new Uint8Array(readFileSync(disk))
      if (first) main = bytes
      files.push({ path, disk, size: bytes.length, sha256: sha256Of(bytes) })
    } catch (error) {
      unreadable(error, path, first ? 'error' : gradeOf(mode), note)
      if (first) break
    }
  }
  return { files, main, findings }
}
