// Which scripts lie below a folder, in which language, and what each needs beyond that language's own: fixed before anything
// runs, by what is written in the scripts. Knows nothing of the sandbox.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

import { nodeScriptNeeds } from './needs-node.ts'
import { pythonScriptNeeds } from './needs-python.ts'
import { shellScriptNeeds } from './needs-shell.ts'

export const SCRIPT_LANGUAGES = ['python', 'node', 'bash'] as const
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]

export interface Listed {
  readonly file: string
  /** The folder of its skill: the nearest above it with a SKILL.md, else its own. */
  readonly skill: string
  /** `<skill>/<path within>`: what cases and reasons are kept by. */
  readonly key: string
  readonly language: ScriptLanguage
  /** Packages and programs beyond the language's own and its neighbours; empty: it is compared. */
  readonly needs: readonly string[]
}

const ENDINGS: Readonly<Record<string, ScriptLanguage>> = {
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  mts: 'node',
  cts: 'node',
  sh: 'bash',
  bash: 'bash',
}
const FIRST_LINES: readonly (readonly [RegExp, ScriptLanguage])[] = [
  [/^#!.*\bpython[\d.]*\s*$/m, 'python'],
  [/^#!.*\bnode\s*$/m, 'node'],
  [/^#!.*\b(?:ba)?sh\b/, 'bash'],
]
const PASSED = new Set(['node_modules', '.git', '__pycache__'])

/** All scripts below `root`, by their paths. */
export function listScripts(root: string): readonly Listed[] {
  const scripts = filesBelow(root).flatMap((file) => {
    const language = languageOf(file)
    return language ? [{ file, language }] : []
  })
  const python = pythonScriptNeeds(
    scripts.filter(({ language }) => language === 'python').map(({ file }) => file),
  )
  const needsOf = (file: string): readonly string[] => {
    const language = languageOf(file)
    if (language === 'python') return python.get(file) ?? []
    if (language === 'node') return nodeScriptNeeds(file)
    return language === 'bash' ? shellScriptNeeds(file, needsOf) : []
  }
  return scripts.map(({ file, language }) => {
    const skill = skillOf(file, root)
    const key = join(basename(skill), relative(skill, file))
    return { file, skill, key, language, needs: needsOf(file) }
  })
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return PASSED.has(entry.name) ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    })
}

function languageOf(file: string): ScriptLanguage | undefined {
  const name = basename(file)
  if (/\.d\.[cm]?ts$/.test(name)) return undefined
  const [, ending = ''] = /\.([a-z]+)$/.exec(name) ?? []
  if (ending !== '') return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
  const [line = ''] = readFileSync(file, 'latin1').split('\n', 1)
  return FIRST_LINES.find(([pattern]) => pattern.test(line))?.[1]
}

function skillOf(file: string, root: string): string {
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder))
    if (readdirSync(folder).includes('SKILL.md')) return folder
  return dirname(file)
}
