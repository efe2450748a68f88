// What a runtime is to the build: a name, what it is made of, and how.

import type { RuntimeModule } from './store.ts'

export interface Recipe {
  readonly name: string
  /** The module that a loader starts. */
  readonly main: string
  /** A digest of everything that decides what comes out, below `root`. */
  readonly inputs: (root: string) => string
  /** The modules. Rejects with words for whoever builds. `say` shows a line of progress. */
  readonly build: (
    root: string,
    say: (line: string) => void,
  ) => Promise<Readonly<Record<string, RuntimeModule>>>
}
