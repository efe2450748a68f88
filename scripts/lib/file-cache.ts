// Caches values that are computed from files. Stores them in dist/kept/ and computes one again when its files change.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

export interface Made {
  readonly value: string
  /** The files on which the value depends, relative to the root. */
  readonly inputs: readonly string[]
}

/** A stored value. Valid only for its root, because a value may contain the path, and a checkout can be copied. */
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

/** The value that `make` computes, cached under `name` until one of its files changes. Rejects if `make` does. */
export async function cachedFrom(root: string, name: string, make: () => Promise<Made>): Promise<string> {
  const file = join(root, 'dist/kept', `${name}.json`)
  const before = read(file)
  const states = (inputs: readonly string[]): Record<string, string> =>
    Object.fromEntries(inputs.map((input) => [input, fileState(join(root, input))]))
  if (before?.root === root) {
    const now = states(Object.keys(before.inputs))
    if (Object.entries(before.inputs).every(([input, was]) => now[input] === was)) return before.value
  }
  const began = Date.now()
  const { value, inputs } = await make()
  // A file that changed meanwhile may have been read before or after the change, so the value is not stored.
  const isSettled = inputs.every((input) => {
    const info = statSync(join(root, input), { throwIfNoEntry: false })
    return info === undefined || info.mtimeMs < began
  })
  if (isSettled) write(file, JSON.stringify({ root, inputs: states(inputs), value }))
  return value
}

/** The stored value; null if it is missing, damaged or of an older format. */
function read(file: string): z.infer<typeof StoredValue> | null {
  try {
    return StoredValue.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Writes a file atomically, because several commands may write it at the same time. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
