// Collects what a script needs but the sandbox lacks. The checks of the three languages add to it.

import type { InstalledPackages } from '../installed-packages.ts'

export interface Script {
  readonly path: string
  readonly text: string
}

/** The files of a skill: the texts of its scripts, and the paths of all files. */
export interface SkillScripts {
  readonly texts: ReadonlyMap<string, string>
  readonly paths: ReadonlySet<string>
  readonly installed: InstalledPackages
}

/** Maximum number of imports that are checked per file. Each is looked up among the skill's files. */
export const IMPORTS_MAX = 200

/** Missing dependencies by name, each with the reason. */
export class MissingDependencies {
  /** Dependencies that the script needs to start. */
  readonly atStart = new Map<string, string>()
  /** Dependencies that only parts of the script need. */
  readonly inParts = new Map<string, string>()

  add(name: string, reason: string, isAtStart: boolean): void {
    if (isAtStart) this.atStart.set(name, reason)
    else if (!this.atStart.has(name)) this.inParts.set(name, reason)
    if (isAtStart) this.inParts.delete(name)
  }

  /** Adds the missing dependencies of an imported file. */
  merge(imported: MissingDependencies, isAtStart: boolean): void {
    for (const [name, reason] of imported.atStart) this.add(name, reason, isAtStart)
    for (const [name, reason] of imported.inParts) this.add(name, reason, false)
  }
}

/** Why a package is missing, and how the operator adds it. */
export function notInstalled(packageName: string): string {
  return `not installed; the operator can add it: npm run packages -- add ${packageName}`
}

export const NATIVE = 'compiled, cannot run here'
export const NO_NETWORK = 'no network'
export const NO_PROGRAMS = 'scripts cannot start programs; call them from bash'

/** Resolves `.` and `..` in a path; null if the path leads out of the skill. */
export function normalPath(path: string): string | null {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return null
  }
  return names.join('/')
}

export function parentFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
