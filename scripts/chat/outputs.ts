// What a run made for the person: the files that it presented, or else those that it wrote under outputs/. Paths are the
// server's and relative to the root of the thread's files.

import { underRoot } from '../../src/files/path.ts'

import type { Event } from '../../src/agent/events.ts'

export const OUTPUTS = 'outputs/'

export class Outputs {
  readonly #presented = new Set<string>()
  readonly #written = new Set<string>()

  see(event: Event): void {
    if (event.type !== 'artifact.presented' && event.type !== 'file.written') return
    const path = underRoot(event.path)
    if (path === null || path === '') return
    if (event.type === 'artifact.presented') this.#presented.add(path)
    else if (path.startsWith(OUTPUTS)) this.#written.add(path)
  }

  /** Each once, in the order in which it came. */
  paths(): readonly string[] {
    return [...(this.#presented.size > 0 ? this.#presented : this.#written)]
  }
}
