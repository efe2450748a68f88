// Recognizes links in a skill's folder whose targets are in the same folder. Other links are never followed.

import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { credentialFile } from '../../src/skills/format/credential-files.ts'
import { isSkipped } from './find-packages.ts'

/** What the link at `path` below `root` points to, or null if the target is not in the skill or is excluded from it. */
export async function innerLinkType(root: string, path: string): Promise<'file' | 'folder' | null> {
  try {
    const target = await realpath(join(root, path))
    const relativeTarget = relative(await realpath(root), target)
    const names = relativeTarget.split(sep)
    if (
      relativeTarget === '' ||
      names.includes('..') ||
      names.some(isSkipped) ||
      relativeTarget.startsWith(sep)
    )
      return null
    if (credentialFile(names.join('/'))) return null
    const info = await stat(target)
    return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : null
  } catch {
    return null // The link is broken or part of a cycle.
  }
}
