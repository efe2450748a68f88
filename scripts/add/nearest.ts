// Decides whether owner/repo means a local folder: an existing one wins. Reads the disk, fetches nothing.

import { stat } from 'node:fs/promises'

import type { Result } from '../../src/lib/result.ts'
import { ok } from '../../src/lib/result.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { parseSource } from './source.ts'
import type { SkillSource } from './source.ts'

/** The result of `parseSource`, unless a folder of that name exists. `ref` means a repository. */
export async function nearest(
  text: string,
  ref: string | null,
  say: (line: string) => void,
): Promise<Result<SkillSource, string>> {
  const source = parseSource(text, ref)
  const path = text.trim()
  // Text that names no source may still be a folder: `my skills/public`.
  if (ref !== null || (source.ok && source.value.kind !== 'github') || isAddress(path)) return source
  const there = await stat(path).catch(() => null)
  if (there?.isDirectory() !== true) return source
  if (source.ok)
    say(harmlessLine(`${path}: the folder that is here (for the repository: https://github.com/${path})`))
  return ok({ kind: 'folder', path })
}

/** A hint for users who meant a folder: there is none. */
export function notHere({ kind }: SkillSource, text: string): string {
  if (kind !== 'github' || isAddress(text) || /[@#]/.test(text)) return ''
  return `\nIt was taken for a repository on GitHub: there is no folder ${harmlessLine(text)} here.`
}

function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|git@)/i.test(text.trim())
}
