// Collects the files that a run created for the user: those that it presented or, if it presented none, those
// that it wrote under outputs/. Paths are relative to the root of the thread's files.

import { pathFromRoot } from '../../src/files/path.ts'

import type { Event } from '../../src/agent/events.ts'

export const OUTPUTS_PREFIX = 'outputs/'

export class OutputPaths {
  readonly #presentedPaths = new Set<string>()
  readonly #writtenPaths = new Set<string>()

  observe(event: Event): void {
    if (event.type !== 'artifact.presented' && event.type !== 'file.written') return
    const path = pathFromRoot(event.path)
    if (path === null || path === '') return
    if (event.type === 'artifact.presented') this.#presentedPaths.add(path)
    else if (path.startsWith(OUTPUTS_PREFIX)) this.#writtenPaths.add(path)
  }

  /** The paths without repetition, in the order of their first events. */
  paths(): readonly string[] {
    return [...(this.#presentedPaths.size > 0 ? this.#presentedPaths : this.#writtenPaths)]
  }
}
