// Caches values derived from files below dist/, and recomputes one when its files change.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

export interface Made {
  readonly value: string
  /** The files, relative to the root, that it depends on. */
  readonly inputs: readonly string[]
}

/** With the root: a value may contain its path, and a checkout can be copied. */
const Kept = z.object({ root: z.string(), inputs: z.record(z.string(), z.string()), value: z.string() })

/** Identifies the state of a file. */
export function fileState(path: string): string {
  const info = statSync(path, { throwIfNoEntry: false })
  return info ? `${info.size} ${info.mtimeMs}` : 'gone'
}

/** `make`'s value, cached under `name` while its files are unchanged. Rejects as `make` does. */
export async function kept(root: string, name: string, make: () => Promise<Made>): Promise<string> {
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
  // A file that changed meanwhile may have been read before or after.
  const isSettled = inputs.every((input) => {
    const info = statSync(join(root, input), { throwIfNoEntry: false })
    return info === undefined || info.mtimeMs < began
  })
  if (isSettled) write(file, JSON.stringify({ root, inputs: states(inputs), value }))
  return value
}

/** Null: missing, damaged, or of another shape. */
function read(file: string): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Atomic: several commands may write at once. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
