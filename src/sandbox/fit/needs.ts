// What a script needs and the sandbox lacks. Filled by the readers of the three languages.

export interface Script {
  readonly path: string
  readonly text: string
}

/** The files of a skill: the texts that were read, and every path. */
export interface SkillScripts {
  readonly texts: ReadonlyMap<string, string>
  readonly paths: ReadonlySet<string>
}

/** Imports checked for one file: more than scripts have. Each is looked up among the skill's files. */
export const IMPORTS_MAX = 200

/** Name to reason. `start`: the script ends at once without it. `part`: only parts of the script fail. */
export class Needs {
  readonly start = new Map<string, string>()
  readonly part = new Map<string, string>()

  add(name: string, why: string, starts: boolean): void {
    if (starts) this.start.set(name, why)
    else if (!this.start.has(name)) this.part.set(name, why)
    if (starts) this.part.delete(name)
  }

  /** A script also needs what its imported files need. */
  take(other: Needs, starts: boolean): void {
    for (const [name, why] of other.start) this.add(name, why, starts)
    for (const [name, why] of other.part) this.add(name, why, false)
  }
}

export const NO_NETWORK = 'no network'
export const NO_PROGRAMS = 'scripts cannot start programs; call them from bash'

/** Resolves `.` and `..` in `path`; null if it leads out of the skill. */
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
