// How a lock file, which other people use on their machines, names a source.

import { relative, resolve, sep } from 'node:path'

import { sourceName, type SkillSource } from './source.ts'

/** Folders and files relative to the lock's folder, with `/`; other sources by their own name. */
export function lockedSource(source: SkillSource, home: string): string {
  if (source.kind !== 'file' && source.kind !== 'folder') return sourceName(source)
  const path = relative(home, resolve(source.path)).split(sep).join('/')
  return path.startsWith('../') || path === '..' ? path : `./${path}`
}
