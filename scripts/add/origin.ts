// How a source is written into a lock file that others will read on their machines.

import { relative, resolve, sep } from 'node:path'

import { sourceName, type SkillSource } from './source.ts'

/** Folders and files relative to the lock's folder, with `/`; everything else as its own name. */
export function lockedSource(source: SkillSource, home: string): string {
  if (source.kind !== 'file' && source.kind !== 'folder') return sourceName(source)
  const path = relative(home, resolve(source.path)).split(sep).join('/')
  return path.startsWith('../') || path === '..' ? path : `./${path}`
}
