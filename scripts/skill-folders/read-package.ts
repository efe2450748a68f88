// Reads the listed files of one skill, one at a time.

import { readFileSync } from 'node:fs'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { ListedFile } from './list-package.ts'
import { createNotes } from './note.ts'

interface ReadPackage {
  /** The contents by path, SKILL.md first. Empty if SKILL.md cannot be read. */
  readonly contents: FileMap
  readonly findings: readonly Finding[]
}

/** Reads the files. Leaves out unreadable ones with a warning, or with an error in strict mode. Never throws. */
export function readPackage(listed: readonly ListedFile[], mode: Mode): ReadPackage {
  const notes = createNotes(mode)
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { path, diskPath } of listed)
    try {
      // Synchronous, because the thread pool would take four times as long for files of this size.
      contents.set(path, new Uint8Array(readFileSync(diskPath)))
    } catch (error) {
      notes.unreadable(error, path)
      if (path === SKILL_FILE) break
    }
  return { contents, findings: notes.findings }
}
