// Scans a skill that is given as texts: the shortest way to write a scan test.

import { utf8 } from '../../../../src/lib/bytes.ts'
import { scanSkill } from '../../../../src/skills/scan/scan.ts'
import type { Finding } from '../../../../src/skills/skill.ts'

type Content = string | Uint8Array<ArrayBuffer>

export function filesOf(files: Readonly<Record<string, Content>>): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? utf8(content) : content,
    ]),
  )
}

export function scanned(files: Readonly<Record<string, Content>>): readonly Finding[] {
  return scanSkill(filesOf(files))
}

/** The findings in one file, as `severity rule:line`. */
export function seenIn(path: string, content: Content): readonly string[] {
  return scanned({ [path]: content }).map(({ severity, rule, line }) => `${severity} ${rule}:${line}`)
}

/** The rules that refuse one file, without repetition. */
export function refusals(path: string, content: Content): readonly string[] {
  return rulesOf(path, content, ['error'])
}

/** The rules that refuse one file or warn about it, without repetition. */
export function reported(path: string, content: Content): readonly string[] {
  return rulesOf(path, content, ['error', 'warning'])
}

function rulesOf(path: string, content: Content, severities: readonly Finding['severity'][]): string[] {
  const found = scanned({ [path]: content }).filter(({ severity }) => severities.includes(severity))
  return Array.from(new Set(found.map(({ rule }) => rule)))
}
