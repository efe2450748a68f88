// Checks statically which scripts of a skill can run in the sandbox, and what the others are missing. Looks only at
// imports and calls; when a script runs, the runtime reports anything that this check missed.

import { NOTHING_INSTALLED, type InstalledPackages } from '../installed-packages.ts'
import type { MissingDependencies, Script, SkillScripts } from './missing-dependencies.ts'
import { missingInNode } from './node-imports.ts'
import { missingInPython } from './python.ts'
import { missingInShell } from './shell.ts'

export interface ScriptCompatibility {
  readonly path: string
  readonly runtime: 'python3' | 'node' | 'bash'
  /** What the script needs to start but the sandbox lacks, with reasons; empty if the script can start. */
  readonly lacks: readonly string[]
  /** What parts of the script need but the sandbox lacks, with reasons. */
  readonly partly: readonly string[]
}

const JAVASCRIPT = /\.(?:[cm]?js|[cm]?ts)$/
const TYPE_DECLARATIONS = /\.d\.[cm]?ts$/
const SHELL = /\.(?:sh|bash)$/

export function isScript(path: string): boolean {
  return path.endsWith('.py') || (JAVASCRIPT.test(path) && !TYPE_DECLARATIONS.test(path)) || SHELL.test(path)
}

/**
 * Checks scripts, and ignores other files. `paths` are all files of the skill, among which imports are looked
 * up; `installed` are the packages of the deployment.
 */
export function checkScripts(
  scripts: readonly Script[],
  paths: readonly string[],
  installed: InstalledPackages = NOTHING_INSTALLED,
): readonly ScriptCompatibility[] {
  const skill: SkillScripts = {
    texts: new Map(scripts.map(({ path, text }) => [path, text])),
    paths: new Set(paths),
    installed,
  }
  return scripts.flatMap(({ path }): readonly ScriptCompatibility[] => {
    if (!isScript(path)) return []
    if (path.endsWith('.py')) return [resultFor(path, 'python3', missingInPython(path, skill))]
    if (JAVASCRIPT.test(path)) return [resultFor(path, 'node', missingInNode(path, skill))]
    return [resultFor(path, 'bash', missingInShell(skill.texts.get(path) ?? ''))]
  })
}

function resultFor(
  path: string,
  runtime: ScriptCompatibility['runtime'],
  { atStart, inParts }: MissingDependencies,
): ScriptCompatibility {
  return { path, runtime, lacks: describeMissing(atStart), partly: describeMissing(inParts) }
}

function describeMissing(missing: ReadonlyMap<string, string>): readonly string[] {
  return [...missing].map(([name, reason]) => `${name} (${reason})`)
}

/** Describes the results for the model in up to three lines. */
export function compatibilityMessage(results: readonly ScriptCompatibility[]): readonly string[] {
  const starting = results.filter(({ lacks }) => lacks.length === 0)
  const runnable = starting
    .filter(({ partly }) => partly.length === 0)
    .map(({ path, runtime }) => `${path} (${runtime})`)
  const partlyRunnable = starting.flatMap(({ path, partly }) =>
    partly.length > 0 ? [`${path}: ${partly.join(', ')}`] : [],
  )
  const notRunnable = results
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ path, lacks, partly }) => `${path}: ${[...lacks, ...partly].join(', ')}`)
  return [
    ...(runnable.length > 0 ? [`Scripts that bash can run here: ${runnable.join(', ')}.`] : []),
    ...(partlyRunnable.length > 0
      ? [`Scripts that start here but cannot run completely: ${partlyRunnable.join('; ')}.`]
      : []),
    ...(notRunnable.length > 0 ? [`Scripts that cannot run here: ${notRunnable.join('; ')}.`] : []),
  ]
}
