// Reads the listed files of one skill, one at a time. Parses nothing.

import { readFileSync } from 'node:fs'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import type { Finding } from '../../src/skills/skill.ts'
import type { ListedFile } from './list-package.ts'
import { startNotes } from './note.ts'

interface ReadPackage {
  /** SKILL.md first; empty if it cannot be read. */
  readonly contents: FileMap
  readonly findings: readonly Finding[]
}

/** Leaves out unreadable files with a warning; in strict mode that is an error. Never throws. */
export function readPackage(listed: readonly ListedFile[], mode: Mode): ReadPackage {
  const notes = startNotes(mode)
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { path, disk } of listed)
    try {
      // Synchronously: for files this small the thread pool takes four times as long.
      contents.set(path, new Uint8Array(readFileSync(disk)))
    } catch (error) {
      notes.unreadable(error, path)
      if (path === SKILL_FILE) break
    }
  return { contents, findings: notes.findings }
}
