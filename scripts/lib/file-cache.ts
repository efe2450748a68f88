// Caches values that are computed from files. Stores them in dist/kept/ and computes one again when its files change.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

export interface CachedText {
  readonly value: string
  /** The files on which the value depends, relative to the root. */
  readonly inputs: readonly string[]
}

/** A stored value. Valid only for its root, because the value may contain that path and a checkout can be copied. */
const StoredValue = z.object({
  root: z.string(),
  inputs: z.record(z.string(), z.string()),
  value: z.string(),
})

/** A text that changes whenever the file changes. */
export function fileState(path: string): string {
  const info = statSync(path, { throwIfNoEntry: false })
  return info ? `${info.size} ${info.mtimeMs}` : 'gone'
}

/** The value that `compute` computes, cached under `name` until one of its files changes. Rejects if `compute` does. */
export async function cachedText(
  root: string,
  name: string,
  compute: () => Promise<CachedText>,
): Promise<string> {
  const file = join(root, 'dist/kept', `${name}.json`)
  const stored = readStored(file)
  const states = (inputs: readonly string[]): Record<string, string> =>
    Object.fromEntries(inputs.map((input) => [input, fileState(join(root, input))]))
  if (stored?.root === root) {
    const newStates = states(Object.keys(stored.inputs))
    if (Object.entries(stored.inputs).every(([input, oldState]) => newStates[input] === oldState))
      return stored.value
  }
  const startedMs = Date.now()
  const { value, inputs } = await compute()
  // A file that changed during the computation may have been read before or after the change. Then nothing is stored.
  const isSettled = inputs.every((input) => {
    const info = statSync(join(root, input), { throwIfNoEntry: false })
    return info === undefined || info.mtimeMs < startedMs
  })
  if (isSettled) writeAtomically(file, JSON.stringify({ root, inputs: states(inputs), value }))
  return value
}

/** The stored value; null if it is missing, damaged or of an older format. */
function readStored(file: string): z.infer<typeof StoredValue> | null {
  try {
    return StoredValue.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Writes a file atomically, because several commands may write it at the same time. */
function writeAtomically(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
