// Decides whether owner/repo means a local folder; an existing folder takes precedence over a repository.
// Reads the disk and fetches nothing.

import { stat } from 'node:fs/promises'

import type { Result } from '../../src/lib/result.ts'
import { ok } from '../../src/lib/result.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { parseSource } from './source.ts'
import type { SkillSource } from './source.ts'

/** Like `parseSource`, but prefers an existing folder of that name, unless `ref` asks for a repository. */
export async function resolveSource(
  text: string,
  ref: string | null,
  say: (line: string) => void,
): Promise<Result<SkillSource, string>> {
  const source = parseSource(text, ref)
  const path = text.trim()
  // Text that parseSource rejects may still be a folder, such as `my skills/public`.
  if (ref !== null || (source.ok && source.value.kind !== 'github') || isAddress(path)) return source
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() !== true) return source
  if (source.ok)
    say(harmlessLine(`Using the local folder ${path}. For the repository, write https://github.com/${path}`))
  return ok({ kind: 'folder', path })
}

/** A hint for users who meant a folder that does not exist; otherwise empty. */
export function noFolderHint({ kind }: SkillSource, text: string): string {
  if (kind !== 'github' || isAddress(text) || /[@#]/.test(text)) return ''
  return `\nThis was read as a repository on GitHub, because there is no folder ${harmlessLine(text)} here.`
}

function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|git@)/i.test(text.trim())
}
