// Whether owner/repo means a folder of this machine: one that is there is meant. Looks at the disk, fetches nothing.

import { stat } from 'node:fs/promises'

import type { Result } from '../../src/lib/result.ts'
import { ok } from '../../src/lib/result.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { parseSource } from './source.ts'
import type { SkillSource } from './source.ts'

/** What `parseSource` says, but for a folder that is there under these words. `ref` asks for a repository. */
export async function nearest(
  text: string,
  ref: string | null,
  say: (line: string) => void,
): Promise<Result<SkillSource, string>> {
  const source = parseSource(text, ref)
  const path = text.trim()
  // Words that name no source at all may still be a folder: `my skills/public`.
  if (ref !== null || (source.ok && source.value.kind !== 'github') || isAddress(path)) return source
  const there = await stat(path).catch(() => null)
  if (there?.isDirectory() !== true) return source
  if (source.ok)
    say(harmlessLine(`${path}: the folder that is here (for the repository: https://github.com/${path})`))
  return ok({ kind: 'folder', path })
}

/** For whoever meant a folder: that there is none. */
export function notHere({ kind }: SkillSource, text: string): string {
  if (kind !== 'github' || isAddress(text) || /[@#]/.test(text)) return ''
  return `\nIt was taken for a repository on GitHub: there is no folder ${harmlessLine(text)} here.`
}

function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|git@)/i.test(text.trim())
}
