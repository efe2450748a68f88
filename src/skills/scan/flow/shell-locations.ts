// Tracks what the variables, files and open connections of shell code hold.

import { KEY_FILES } from './secrets.ts'
import type { Word } from './shell-words.ts'
import { mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export interface Locations {
  assign(name: string, word: Word | null, taint: Taint): void
  taintOfVariable(name: string): Taint
  /**
   * Sets the positional parameters for a call of a function. Returns a function that restores the previous
   * ones.
   */
  enterFunction(argumentTaints: readonly Taint[], words: readonly Word[]): () => void
  /** The known value of a variable. */
  textOfVariable(name: string): string | null
  writeFile(path: string, taint: Taint): void
  /** The taint of a file, by what was written to it and by its name. */
  taintOfFile(path: string): Taint
  /** A path with the known values of its variables, without a leading `./`. */
  pathOf(path: string): string
  /** Records that a handle was opened, if `path` is a network connection. */
  openConnection(handle: string, path: string): void
  taintOfHandle(name: string): Taint
}

const VARIABLES_MAX = 1_024
const CONNECTION_TAINT: Taint = { ...CLEAN, origin: 'bare', isIndirect: true, isFromConnection: true }
const KEYS_TAINT: Taint = { ...CLEAN, secretLevel: 2 }

/** `fileVariables` are the variables that other files of the skill set. */
export function createLocations(fileVariables: ReadonlyMap<string, string>): Locations {
  const taints = new Map<string, Taint>()
  const texts = new Map<string, string>(fileVariables)
  const files = new Map<string, Taint>()
  const handles = new Map<string, Taint>()
  const keyNames = new Set<string>()
  const resolvedPath = (path: string): string => {
    const expanded = path.replace(
      /\$([A-Za-z_]\w{0,60}|[1-9])/g,
      (reference, name: string) => texts.get(name) ?? reference,
    )
    return expanded.replace(/^\.\//, '').slice(0, 300)
  }
  return {
    assign(name, word, taint) {
      if (taints.size >= VARIABLES_MAX && !taints.has(name)) return
      if (taint !== CLEAN) taints.set(name, mergeTaints(taints.get(name) ?? CLEAN, taint))
      if (word && word.parts.every(({ command }) => command === undefined) && word.unquoted !== '') {
        texts.set(name, resolvedPath(word.unquoted))
        if (KEY_FILES.test(resolvedPath(word.unquoted))) keyNames.add(name)
      }
    },
    enterFunction(argumentTaints, words) {
      words.forEach((word, index) => texts.set(`${index + 1}`, resolvedPath(word.unquoted)))
      const names = [...argumentTaints.keys()].map((index) => `${index + 1}`).concat('@', '*')
      const previousTaints = names.map((name) => taints.get(name) ?? CLEAN)
      const allTaints = argumentTaints.reduce(mergeTaints, CLEAN)
      names.forEach((name, index) => taints.set(name, argumentTaints[index] ?? allTaints))
      return () => names.forEach((name, index) => taints.set(name, previousTaints[index] ?? CLEAN))
    },
    taintOfVariable: (name) =>
      name === 'COPROC' ? (handles.get('COPROC') ?? CLEAN) : (taints.get(name) ?? CLEAN),
    textOfVariable: (name) => texts.get(name) ?? null,
    writeFile(path, taint) {
      if (taint === CLEAN || path.startsWith('/dev/') || files.size >= VARIABLES_MAX) return
      const fullPath = resolvedPath(path)
      files.set(fullPath, mergeTaints(files.get(fullPath) ?? CLEAN, taint))
      if (!fullPath.includes('/'))
        files.set(`*/${fullPath}`, mergeTaints(files.get(fullPath) ?? CLEAN, taint))
    },
    taintOfFile(path) {
      const fullPath = resolvedPath(path)
      const fileTaint =
        files.get(fullPath) ?? files.get(`*/${fullPath.slice(fullPath.lastIndexOf('/') + 1)}`) ?? CLEAN
      const isKey = KEY_FILES.test(fullPath) || keyNames.has(/^\$(\w{1,60})$/.exec(path)?.[1] ?? '')
      return isKey ? mergeTaints(fileTaint, KEYS_TAINT) : fileTaint
    },
    pathOf: resolvedPath,
    openConnection(handle, path) {
      if (/^\/dev\/(?:tcp|udp)\//.test(path) && handles.size < VARIABLES_MAX)
        handles.set(handle, CONNECTION_TAINT)
      if (handle === 'COPROC') handles.set(handle, CONNECTION_TAINT)
    },
    taintOfHandle: (name) => handles.get(name.replace(/-$/, '')) ?? CLEAN,
  }
}
