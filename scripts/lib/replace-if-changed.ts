// Writes a built file only if its text changed. Several processes may write it concurrently while others read it.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Replaces the file at `path`, which is in `dist/` of `root`. The temporary file is not in a served folder. */
export function replaceIfChanged(root: string, path: string, text: string): void {
  const target = join(root, path)
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return
  mkdirSync(dirname(target), { recursive: true })
  const temporary = join(root, 'dist', `${basename(path)}.${process.pid}`)
  writeFileSync(temporary, text)
  renameSync(temporary, target)
}
