// Lists the scripts below a folder, with their languages. Independent of the sandbox.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

export const SCRIPT_LANGUAGES = ['python', 'node', 'bash'] as const
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]

export interface ListedScript {
  readonly file: string
  /** The folder of its skill: the nearest parent with a SKILL.md, else its own. */
  readonly skill: string
  /** `<skill>/<path within it>`: the key of the test case. */
  readonly key: string
  readonly language: ScriptLanguage
}

/** The language by extension or, without an extension, by the first line. */
const BY_NAME: readonly (readonly [RegExp, ScriptLanguage])[] = [
  [/\.py$/, 'python'],
  [/(?<!\.d)\.[cm]?[jt]s$/, 'node'],
  [/\.(?:ba)?sh$/, 'bash'],
]
const BY_FIRST_LINE: readonly (readonly [RegExp, ScriptLanguage])[] = [
  [/^#!.*\bpython[\d.]*\s*$/, 'python'],
  [/^#!.*\bnode\s*$/, 'node'],
  [/^#!.*\b(?:ba)?sh\b/, 'bash'],
]
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '__pycache__'])

/** Lists all scripts below `root`, sorted by path. */
export function listScripts(root: string): readonly ListedScript[] {
  return filesBelow(root).flatMap((file) => {
    const language = languageOf(file)
    if (!language) return []
    const skill = skillOf(file, root)
    return [{ file, skill, key: join(basename(skill), relative(skill, file)), language }]
  })
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    })
}

function languageOf(file: string): ScriptLanguage | undefined {
  const name = basename(file)
  if (name.includes('.')) return BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
  const [line = ''] = readFileSync(file, 'latin1').split('\n', 1)
  return BY_FIRST_LINE.find(([pattern]) => pattern.test(line))?.[1]
}

function skillOf(file: string, root: string): string {
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder))
    if (readdirSync(folder).includes('SKILL.md')) return folder
  return dirname(file)
}
