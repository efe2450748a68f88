// Tracks what the variables, files and open connections of shell code hold.

import { KEY_FILES } from './secrets.ts'
import type { Word } from './shell-words.ts'
import { both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export interface Locations {
  give(name: string, word: Word | null, taint: Taint): void
  variable(name: string): Taint
  /**
   * Sets the positional parameters for a call of a function. Returns a function that restores the previous
   * ones.
   */
  enter(given: readonly Taint[], words: readonly Word[]): () => void
  /** The known value of a variable. */
  textOf(name: string): string | null
  put(path: string, taint: Taint): void
  /** The taint of a file, by what was written to it and by its name. */
  file(path: string): Taint
  /** A path with the known values of its variables, without a leading `./`. */
  pathOf(path: string): string
  open(handle: string, path: string): void
  handle(name: string): Taint
}

const NAMES_MAX = 1_024
const LIVE: Taint = { ...CLEAN, code: 'bare', isBent: true, isLive: true }
const KEYS: Taint = { ...CLEAN, secret: 2 }

/** `ambient` has the variables that other files of the skill set. */
export function createLocations(ambient: ReadonlyMap<string, string>): Locations {
  const taints = new Map<string, Taint>()
  const texts = new Map<string, string>(ambient)
  const files = new Map<string, Taint>()
  const handles = new Map<string, Taint>()
  const keyNames = new Set<string>()
  const written = (path: string): string => {
    const plain = path.replace(
      /\$([A-Za-z_]\w{0,60}|[1-9])/g,
      (seen, name: string) => texts.get(name) ?? seen,
    )
    return plain.replace(/^\.\//, '').slice(0, 300)
  }
  return {
    give(name, word, taint) {
      if (taints.size >= NAMES_MAX && !taints.has(name)) return
      if (taint !== CLEAN) taints.set(name, both(taints.get(name) ?? CLEAN, taint))
      if (word && word.parts.every(({ command }) => command === undefined) && word.plain !== '') {
        texts.set(name, written(word.plain))
        if (KEY_FILES.test(written(word.plain))) keyNames.add(name)
      }
    },
    enter(given, words) {
      words.forEach((word, index) => texts.set(`${index + 1}`, written(word.plain)))
      const names = [...given.keys()].map((index) => `${index + 1}`).concat('@', '*')
      const before = names.map((name) => taints.get(name) ?? CLEAN)
      const all = given.reduce(both, CLEAN)
      names.forEach((name, index) => taints.set(name, given[index] ?? all))
      return () => names.forEach((name, index) => taints.set(name, before[index] ?? CLEAN))
    },
    variable: (name) => (name === 'COPROC' ? (handles.get('COPROC') ?? CLEAN) : (taints.get(name) ?? CLEAN)),
    textOf: (name) => texts.get(name) ?? null,
    put(path, taint) {
      if (taint === CLEAN || path.startsWith('/dev/') || files.size >= NAMES_MAX) return
      const full = written(path)
      files.set(full, both(files.get(full) ?? CLEAN, taint))
      if (!full.includes('/')) files.set(`*/${full}`, both(files.get(full) ?? CLEAN, taint))
    },
    file(path) {
      const full = written(path)
      const held = files.get(full) ?? files.get(`*/${full.slice(full.lastIndexOf('/') + 1)}`) ?? CLEAN
      const isKey = KEY_FILES.test(full) || keyNames.has(/^\$(\w{1,60})$/.exec(path)?.[1] ?? '')
      return isKey ? both(held, KEYS) : held
    },
    pathOf: written,
    open(handle, path) {
      if (/^\/dev\/(?:tcp|udp)\//.test(path) && handles.size < NAMES_MAX) handles.set(handle, LIVE)
      if (handle === 'COPROC') handles.set(handle, LIVE)
    },
    handle: (name) => handles.get(name.replace(/-$/, '')) ?? CLEAN,
  }
}
