// Reads the listed files of one skill once, one at a time. Parses nothing.

import { readFileSync } from 'node:fs'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
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
  /** SKILL.md first; empty when it cannot be read. */
  readonly contents: FileMap
  readonly findings: readonly Finding[]
}

/** A file that cannot be read is left out with a warning; strict, that is an error. Never throws. */
export function readPackage(listed: readonly ListedFile[], mode: Mode): ReadPackage {
  const findings: Finding[] = []
  const note: Note = (rule, severity, file, message, mend) =>
    findings.push({ rule, severity, file, line: null, message, mend })
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { path, disk } of listed) {
    const isMain = path === SKILL_FILE
    try {
      // At once: for files this small the way through the thread pool costs four times the reading.
      contents.set(path, new Uint8Array(readFileSync(disk)))
    } catch (error) {
      unreadable(error, path, isMain ? 'error' : gradeOf(mode), note)
      if (isMain) break
    }
  }
  return { contents, findings }
}

/** Those of the listed files that were read, by their hashes. */
export function hashed(listed: readonly ListedFile[], contents: FileMap): PackageFile[] {
  return listed.flatMap(({ path, disk }) => {
    const bytes = contents.get(path)
    return bytes ? [{ path, disk, size: bytes.length, sha256: sha256Of(bytes) }] : []
  })
}
