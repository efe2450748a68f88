// What was made of files is kept below dist/, and made again only once one of them is another.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

export interface Made {
  readonly value: string
  /** The files, from the root, that it was made of. */
  readonly inputs: readonly string[]
}

/** The root: what is kept may name its place, and a checkout can be copied. */
const Kept = z.object({ root: z.string(), inputs: z.record(z.string(), z.string()), value: z.string() })

/** What tells one state of a file from the next. */
export function fileState(path: string): string {
  const info = statSync(path, { throwIfNoEntry: false })
  return info ? `${info.size} ${info.mtimeMs}` : 'gone'
}

/** `make`'s value, from an earlier call of this `name` where its files are the same still. Rejects as `make` does. */
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

/** Null: absent, damaged, or of another shape. */
function read(file: string): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Whole or not at all: several commands may do it at once. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
