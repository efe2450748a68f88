// Reads the listed files of one skill once, one at a time. Parses nothing.

import { readFileSync } from 'node:fs'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { ListedFile } from './list-package.ts'
import { startNotes } from './note.ts'

interface ReadPackage {
  /** SKILL.md first; empty when it cannot be read. */
  readonly contents: FileMap
  readonly findings: readonly Finding[]
}

/** A file that cannot be read is left out with a warning; strict, that is an error. Never throws. */
export function readPackage(listed: readonly ListedFile[], mode: Mode): ReadPackage {
  const notes = startNotes(mode)
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { path, disk } of listed)
    try {
      // At once: for files this small the way through the thread pool costs four times the reading.
      contents.set(path, new Uint8Array(readFileSync(disk)))
    } catch (error) {
      notes.unreadable(error, path)
      if (path === SKILL_FILE) break
    }
  return { contents, findings: notes.findings }
}
