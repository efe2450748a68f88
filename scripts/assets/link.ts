// Links one file to another, or copies it where links are not supported.

import { copyFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** `to` has the contents of `from`; with links, edits appear at once. */
export function linkFile(from: string, to: string): void {
  const target = relative(dirname(to), from)
  if (linkOf(to) === target) return
  rmSync(to, { force: true })
  try {
    symlinkSync(target, to)
  } catch {
    copyFileSync(from, to) // a concurrent build creates the same file
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
