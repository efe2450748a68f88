// Links a file to another one, or copies it if links are not supported.

import { copyFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** Makes `to` a link to `from`, or a copy. With a link, edits are visible immediately. */
export function linkFile(from: string, to: string): void {
  const target = relative(dirname(to), from)
  if (linkOf(to) === target) return
  rmSync(to, { force: true })
  try {
    symlinkSync(target, to)
  } catch {
    copyFileSync(from, to) // Harmless if a concurrent build has created the same file.
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
