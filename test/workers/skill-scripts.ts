// The files of the built-in skills, for tests that run their scripts without a disk.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

declare module 'vitest' {
  interface ProvidedContext {
    /** Full paths as the model sees them, with their text. */
    skillFiles: Readonly<Record<string, string>>
  }
}

export function skillFiles(root: string): Readonly<Record<string, string>> {
  const folder = join(root, 'skills/public')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(?:md|py)$/.test(entry.name),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join('/mnt/skills/public', parentPath.slice(folder.length), name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  )
}
