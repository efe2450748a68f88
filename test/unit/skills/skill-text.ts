// Helpers for tests of skills: texts of SKILL.md, and folders of skills on disk.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { utf8 } from '../../../src/lib/bytes.ts'
import type { Mode } from '../../../src/skills/format/finding.ts'
import type { ParseResult } from '../../../src/skills/format/parse.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'

/** A SKILL.md with these header lines. */
export function skillMd(header: string, body = 'Do the thing.'): string {
  return `---\n${header}\n---\n${body}\n`
}

/** Parses the text of a whole file. */
export function readFileText(text: string, mode: Mode, folder = 'my-skill'): ParseResult {
  return parseSkill(utf8(text), folder, mode)
}

/** Parses a SKILL.md with these header lines. */
export function readHeader(header: string, mode: Mode, folder = 'my-skill'): ParseResult {
  return readFileText(skillMd(header), mode, folder)
}

/** Findings as `severity rule`, in order. */
export function verdicts(parsed: ParseResult): string[] {
  return parsed.findings.map((finding) => `${finding.severity} ${finding.rule}`)
}

export function errors(parsed: ParseResult): string[] {
  return parsed.findings.filter((finding) => finding.severity === 'error').map((finding) => finding.rule)
}

/** A new folder with these files. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'satchel-skills-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

export const TEA = skillMd(
  'name: tea\ndescription: Brews tea. Use when someone is thirsty.',
  '# Tea\n\nBoil water.',
)
