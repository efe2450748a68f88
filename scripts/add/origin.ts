// Names a source in the lock file, which other people use on their machines.

import { relative, resolve, sep } from 'node:path'

import { sourceName, type SkillSource } from './source.ts'

/** The path of a local source relative to the lock's folder, with `/`; for other sources, their name. */
export function lockedSource(source: SkillSource, lockFolder: string): string {
  if (source.kind !== 'file' && source.kind !== 'folder') return sourceName(source)
  const path = relative(lockFolder, resolve(source.path)).split(sep).join('/')
  return path.startsWith('../') || path === '..' ? path : `./${path}`
}
