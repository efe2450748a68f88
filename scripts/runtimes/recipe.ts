// The build recipe of a runtime: its name, inputs and steps.

import type { RuntimeModule } from './store.ts'

export interface Recipe {
  readonly name: string
  /** The module that a loader starts. */
  readonly main: string
  /** A digest of everything that determines the output, below `root`. */
  readonly inputs: (root: string) => string
  /** The modules. Rejects with a message for the developer. `say` shows a line of progress. */
  readonly build: (
    root: string,
    say: (line: string) => void,
  ) => Promise<Readonly<Record<string, RuntimeModule>>>
}
