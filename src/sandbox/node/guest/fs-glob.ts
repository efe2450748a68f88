// fs.glob with Node's own implementation, and folders that are read entry by entry.

import { coded } from './base/errors.ts'
import { pathOf } from './fs-call.ts'
import { readdirSync } from './fs.ts'
import './provided.ts'
import { library } from './library/library.ts'
import { nextTick } from './base/timers.ts'
import { requireFunction } from './library/validate.ts'

import type { Path } from './fs-call.ts'
import type { Dirent } from './fs-stats.ts'

interface Glob {
  globSync(): readonly unknown[]
  glob(): AsyncIterable<unknown>
}
type GlobOptions = Readonly<Record<string, unknown>>
type Then = (error: unknown, made?: unknown) => void

// The cast is safe: this is Node's class.
const { Glob } = library('internal/fs/glob') as {
  Glob: new (pattern: unknown, options?: GlobOptions) => Glob
}

export function globSync(pattern: unknown, options?: GlobOptions): readonly unknown[] {
  return new Glob(pattern, options).globSync()
}

/** The promise API, which returns an async iterator. */
export async function* globPromise(pattern: unknown, options?: GlobOptions): AsyncGenerator<unknown> {
  yield* new Glob(pattern, options).glob()
}

export function glob(pattern: unknown, ...rest: readonly unknown[]): void {
  const then = rest.at(-1)
  requireFunction(then, 'callback')
  // The casts are safe: the options are optional, and the callback is checked.
  const options = rest.length > 1 ? (rest[0] as GlobOptions) : undefined
  const done = then as Then
  const matches = async (): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for await (const one of globPromise(pattern, options)) found.push(one)
    return found
  }
  matches().then(
    (found) => nextTick(() => done(null, found)),
    (error: unknown) => nextTick(() => done(error)),
  )
}

/** An open folder. Its entries are those at the time when it was opened. */
export class Dir {
  readonly path: string
  readonly #entries: Dirent[]
  #closed = false

  constructor(path: string, recursive: boolean) {
    this.path = path
    // The cast is safe: with this option, entries are `Dirent` objects.
    this.#entries = readdirSync(path, { withFileTypes: true, recursive }) as Dirent[]
  }

  readSync(): Dirent | null {
    if (this.#closed) throw coded(new Error('Directory handle was closed'), 'ERR_DIR_CLOSED')
    return this.#entries.shift() ?? null
  }

  closeSync(): void {
    if (this.#closed) throw coded(new Error('Directory handle was closed'), 'ERR_DIR_CLOSED')
    this.#closed = true
  }

  /** Reads the next entry, with a callback or as a promise. */
  read(then?: Then): Promise<Dirent | null> | undefined {
    return this.#later(() => this.readSync(), then)
  }

  close(then?: Then): Promise<void> | undefined {
    return this.#later(() => this.closeSync(), then)
  }

  #later<T>(call: () => T, then: Then | undefined): Promise<T> | undefined {
    const made = (async () => call())()
    if (!then) return made
    made.then(
      (one) => nextTick(() => then(null, one)),
      (error: unknown) => nextTick(() => then(error)),
    )
    return undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    for (let entry = this.readSync(); entry; entry = this.readSync()) yield entry
    if (!this.#closed) this.closeSync()
  }
}

export function opendirSync(path: Path, options: { recursive?: boolean } = {}): Dir {
  const name = pathOf(path)
  try {
    return new Dir(name, options.recursive === true)
  } catch (error) {
    // Node's message names a different system call.
    const { message } = error as Error
    throw Object.assign(error as Error, {
      message: message.replace(', scandir ', ', opendir '),
      syscall: 'opendir',
    })
  }
}
