// Links in a skill's folder that stay inside it. Others are never followed.

import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { credentialFile } from '../../src/skills/format/credential-files.ts'
import { isSkipped } from './find-packages.ts'

/** The kind of the target of the link at `path` below `root`, if it is in the skill and not excluded; else null. */
export async function innerLink(root: string, path: string): Promise<'file' | 'folder' | null> {
  try {
    const target = await realpath(join(root, path))
    const inside = relative(await realpath(root), target)
    const names = inside.split(sep)
    if (inside === '' || names.includes('..') || names.some(isSkipped) || inside.startsWith(sep)) return null
    if (credentialFile(names.join('/'))) return null
    const info = await stat(target)
    return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : null
  } catch {
    return null // broken, or a cycle
  }
}
