// One file of a skill's version on its way out: always as an attachment, as plain text or as bytes. Holds no large one whole.

import { fail } from '../../lib/result.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import { download, isKnown, notModified, openedType, validators } from '../streams/download.ts'
import { param, type HttpContext, type Reply } from '../route/route.ts'

const CACHE = 'private, no-cache'

/** The file that the path names. Who may see the version is the caller's to say. Failures: `not_found`, the stores'. */
export async function skillFile(c: HttpContext, workspace: string, entry: IndexEntry): Promise<Reply> {
  const content = skillContent(c.env, workspace)
  const manifest = await content.manifest(entry)
  if (!manifest.ok) return manifest
  // The path is only looked up in the list of files: it is part of no key.
  const path = param(c, 'path')
  const found = manifest.value.find((one) => one.path === path)
  if (!found)
    return fail(
      'not_found',
      'This version has no such file. The skill itself, at the path before /files, lists them.',
    )
  if (isKnown(c, found.sha256)) return notModified(found.sha256, CACHE)
  const bytes = await content.openFile(entry, found.sha256)
  if (!bytes.ok) return bytes
  const name = path.split('/').at(-1) ?? ''
  return download(bytes.value, openedType(bytes.value), name, validators(found.sha256, CACHE))
}
