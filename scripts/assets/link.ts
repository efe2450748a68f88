// Links one file to another, or copies it where the system makes no links.

import { copyFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** `to` shows what `from` holds; an edit is there at once where links are made. */
export function linkFile(from: string, to: string): void {
  const target = relative(dirname(to), from)
  if (linkOf(to) === target) return
  rmSync(to, { force: true })
  try {
    symlinkSync(target, to)
  } catch {
    copyFileSync(from, to) // whoever builds at the same time makes the same
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
