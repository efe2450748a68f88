// Which scripts of a skill can run in the sandbox, and what the others lack, by their imports and calls. Reads the
// text only; the runtime itself reports what this misses.

import type { Needs, Script, SkillScripts } from './needs.ts'
import { nodeNeeds } from './node.ts'
import { pythonNeeds } from './python.ts'
import { shellNeeds } from './shell.ts'

export interface Fit {
  readonly path: string
  readonly runtime: 'python3' | 'node' | 'bash'
  /** What it needs to start and the sandbox lacks, with the reason; empty: it starts. */
  readonly lacks: readonly string[]
  /** What parts of it need and the sandbox lacks, with the reason. */
  readonly partly: readonly string[]
}

const JAVASCRIPT = /\.(?:[cm]?js|[cm]?ts)$/
const TYPES_ALONE = /\.d\.[cm]?ts$/
const SHELL = /\.(?:sh|bash)$/

export function isScript(path: string): boolean {
  return path.endsWith('.py') || (JAVASCRIPT.test(path) && !TYPES_ALONE.test(path)) || SHELL.test(path)
}

/** `paths`: all files of the skill, to find its own modules. Files that are not scripts are left out. */
export function fitOf(scripts: readonly Script[], paths: readonly string[]): readonly Fit[] {
  const skill: SkillScripts = {
    texts: new Map(scripts.map(({ path, text }) => [path, text])),
    paths: new Set(paths),
  }
  return scripts.flatMap(({ path }): readonly Fit[] => {
    if (!isScript(path)) return []
    if (path.endsWith('.py')) return [fit(path, 'python3', pythonNeeds(path, skill))]
    if (JAVASCRIPT.test(path)) return [fit(path, 'node', nodeNeeds(path, skill))]
    return [fit(path, 'bash', shellNeeds(skill.texts.get(path) ?? ''))]
  })
}

function fit(path: string, runtime: Fit['runtime'], { start, part }: Needs): Fit {
  return { path, runtime, lacks: worded(start), partly: worded(part) }
}

function worded(lacks: ReadonlyMap<string, string>): readonly string[] {
  return [...lacks].map(([name, why]) => `${name} (${why})`)
}

/** Up to three lines for the model; empty if there are no scripts. */
export function fitMessage(fits: readonly Fit[]): readonly string[] {
  const starting = fits.filter(({ lacks }) => lacks.length === 0)
  const can = starting
    .filter(({ partly }) => partly.length === 0)
    .map(({ path, runtime }) => `${path} (${runtime})`)
  const partly = starting.flatMap(({ path, partly: some }) =>
    some.length > 0 ? [`${path}: ${some.join(', ')}`] : [],
  )
  const not = fits
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ path, lacks, partly: more }) => `${path}: ${[...lacks, ...more].join(', ')}`)
  return [
    ...(can.length > 0 ? [`Scripts that bash can run here: ${can.join(', ')}.`] : []),
    ...(partly.length > 0
      ? [`Scripts that start here, but parts of them cannot run: ${partly.join('; ')}.`]
      : []),
    ...(not.length > 0 ? [`Scripts that cannot run here: ${not.join('; ')}.`] : []),
  ]
}
