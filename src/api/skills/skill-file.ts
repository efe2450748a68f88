// Serves one file of a skill version, always as an attachment, either as plain text or as bytes. Streams large files.

import { fail } from '../../lib/result.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import { download, isKnown, notModified, skillFileType, validators } from '../streams/download.ts'
import { param, type HttpContext, type Reply } from '../route/route.ts'

const CACHE = 'private, no-cache'

/** The file that the path names. The caller must check access to the version. Failures: `not_found`, and those of the stores. */
export async function skillFile(c: HttpContext, workspace: string, entry: IndexEntry): Promise<Reply> {
  const content = skillContent(c.env, workspace)
  const manifest = await content.manifest(entry)
  if (!manifest.ok) return manifest
  // The path is only looked up in the file list and never becomes part of a key.
  const path = param(c, 'path')
  const file = manifest.value.find((listed) => listed.path === path)
  if (!file)
    return fail(
      'not_found',
      'This version has no such file. The response for the skill itself, at the path before /files, lists its files.',
    )
  if (isKnown(c, file.sha256)) return notModified(file.sha256, CACHE)
  const bytes = await content.openFile(entry, file.sha256)
  if (!bytes.ok) return bytes
  const name = path.split('/').at(-1) ?? ''
  return download(bytes.value, skillFileType(bytes.value), name, validators(file.sha256, CACHE))
}
