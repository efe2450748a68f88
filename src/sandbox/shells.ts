// Shells where no platform evicts what is not used: locally an isolate with a name stays in memory for ever, and all share
// some 4 GB. Here each is loaded without a name, kept for its thread, and given up when others need its place.

import { SHELLS_COLLECT_AFTER, SHELLS_KEPT } from './limits.ts'
import type { GuestResult } from './guest.ts'
import type { JobResult, Child, Loader } from './loader.ts'
import type { Runtime } from './runtimes.ts'

interface Shell {
  readonly child: Child
  /** Jobs that it has now. */
  jobs: number
}

export class Shells {
  readonly #loader: Loader
  readonly #collect: () => void
  /** By place, the least recently used first. */
  readonly #kept = new Map<string, Shell>()
  #uncollected = 0

  /** `collect`: has the engine free what nobody refers to, at once. */
  constructor(loader: Loader, collect: () => void) {
    this.#loader = loader
    this.#collect = collect
  }

  /** Has `use` run a job in the shell of `place`, which one object alone may ask for at a time. Rejects as `use` does. */
  async lend(
    place: string,
    runtime: Runtime,
    use: (child: object) => Promise<JobResult>,
  ): Promise<GuestResult> {
    const kept = this.#of(place)
    if (kept) {
      const answer = await this.#used(place, kept.shell, kept.entry, use)
      if (answer) return answer
    }
    const shell: Shell = { child: this.#loader.load(await runtime.code()), jobs: 0 }
    this.#kept.set(place, shell)
    this.#giveUp()
    const answer = await this.#used(place, shell, shell.child.getEntrypoint(), use)
    if (!answer) throw new Error('a shell that has just begun is busy')
    return answer
  }

  #of(place: string): { readonly shell: Shell; readonly entry: object } | null {
    const shell = this.#kept.get(place)
    if (!shell) return null
    // The most recently used is the last.
    this.#kept.delete(place)
    this.#kept.set(place, shell)
    try {
      return { shell, entry: shell.child.getEntrypoint() }
    } catch {
      // It belonged to an instance of the object that is gone, and went with it.
      this.#kept.delete(place)
      return null
    }
  }

  /** Null: the shell has another job, which somebody left. */
  async #used(
    place: string,
    shell: Shell,
    entry: object,
    use: (child: object) => Promise<JobResult>,
  ): Promise<GuestResult | null> {
    let over = true
    shell.jobs++
    try {
      const answer = await use(entry)
      over = answer.spent === true || 'busy' in answer
      return 'busy' in answer ? null : answer
    } finally {
      shell.jobs--
      if (over) this.#drop(place, shell, SHELLS_COLLECT_AFTER)
    }
  }

  /** Those that were not used for the longest time, and have no job. */
  #giveUp(): void {
    for (const [place, shell] of this.#kept) {
      if (this.#kept.size <= SHELLS_KEPT) return
      if (shell.jobs === 0) this.#drop(place, shell, 1)
    }
  }

  #drop(place: string, shell: Shell, weight: number): void {
    if (this.#kept.get(place) === shell) this.#kept.delete(place)
    this.left(weight)
  }

  /**
   * An isolate without a name has had its last job. Its memory is free once the engine has looked, for a handle so small it
   * sees no reason to by itself, and the object that has the handle has run since: best in that object, and at once.
   */
  left(weight = SHELLS_COLLECT_AFTER): void {
    this.#uncollected += weight
    if (this.#uncollected < SHELLS_COLLECT_AFTER) return
    this.#uncollected = 0
    // Not now: whoever asked still holds it.
    setTimeout(this.#collect, 0)
  }
}
