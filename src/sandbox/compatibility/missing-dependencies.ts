// Collects what a script needs but the sandbox does not have. The checks of the three languages fill it.

export interface Script {
  readonly path: string
  readonly text: string
}

/** The files of a skill: the texts of its scripts, and the paths of all files. */
export interface SkillScripts {
  readonly texts: ReadonlyMap<string, string>
  readonly paths: ReadonlySet<string>
}

/** How many imports of one file are checked; each is looked up among the skill's files. */
export const IMPORTS_MAX = 200

/** Maps what is missing to the reason: to start the script (`start`), or to run only parts of it (`part`). */
export class MissingDependencies {
  readonly atStart = new Map<string, string>()
  readonly inParts = new Map<string, string>()

  add(name: string, why: string, isAtStart: boolean): void {
    if (isAtStart) this.atStart.set(name, why)
    else if (!this.atStart.has(name)) this.inParts.set(name, why)
    if (isAtStart) this.inParts.delete(name)
  }

  /** Adds what an imported file needs. */
  merge(other: MissingDependencies, isAtStart: boolean): void {
    for (const [name, why] of other.atStart) this.add(name, why, isAtStart)
    for (const [name, why] of other.inParts) this.add(name, why, false)
  }
}

export const NO_NETWORK = 'no network'
export const NO_PROGRAMS = 'scripts cannot start programs; call them from bash'

/** Resolves `.` and `..` in a path; null if the path leads out of the skill. */
export function normalPath(path: string): string | null {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

export function parentFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
