// Keeps the shells of a local server, which never evicts named isolates although all isolates share 4 GB.
// Each shell is loaded without a name, kept for its thread, and discarded when others need the memory.

import { SHELLS_COLLECT_AFTER, SHELLS_KEPT } from './limits.ts'
import type { GuestResult } from './guest.ts'
import type { JobResult, Child, Loader } from './loader.ts'
import type { Runtime } from './runtimes.ts'

interface Shell {
  readonly child: Child
  /** Running jobs. */
  jobs: number
}

export class Shells {
  readonly #loader: Loader
  readonly #collect: () => void
  /** Shells by owner, the least recently used first. */
  readonly #kept = new Map<string, Shell>()
  #uncollected = 0

  /** `collect` runs the garbage collector. */
  constructor(loader: Loader, collect: () => void) {
    this.#loader = loader
    this.#collect = collect
  }

  /**
   * Calls `use` with the shell of `owner`, and rejects if `use` does. Only one object may call this for an
   * owner at a time.
   */
  async lend(
    owner: string,
    runtime: Runtime,
    use: (child: object) => Promise<JobResult>,
  ): Promise<GuestResult> {
    const kept = this.#of(owner)
    if (kept) {
      const answer = await this.#used(owner, kept.shell, kept.entry, use)
      if (answer) return answer
    }
    const shell: Shell = { child: this.#loader.load(await runtime.code()), jobs: 0 }
    this.#kept.set(owner, shell)
    this.#giveUp()
    const answer = await this.#used(owner, shell, shell.child.getEntrypoint(), use)
    if (!answer) throw new Error('a new shell is busy')
    return answer
  }

  #of(owner: string): { readonly shell: Shell; readonly entry: object } | null {
    const shell = this.#kept.get(owner)
    if (!shell) return null
    // Moves the shell to the end, because the most recently used is last.
    this.#kept.delete(owner)
    this.#kept.set(owner, shell)
    try {
      return { shell, entry: shell.child.getEntrypoint() }
    } catch {
      // The shell belonged to an earlier instance of the object, and ended with it.
      this.#kept.delete(owner)
      return null
    }
  }

  /** Calls `use`, and returns null if the shell still runs an abandoned job. */
  async #used(
    owner: string,
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
      if (over) this.#drop(owner, shell, SHELLS_COLLECT_AFTER)
    }
  }

  /** Discards idle shells, the least recently used first. */
  #giveUp(): void {
    for (const [owner, shell] of this.#kept) {
      if (this.#kept.size <= SHELLS_KEPT) return
      if (shell.jobs === 0) this.#drop(owner, shell, 1)
    }
  }

  #drop(owner: string, shell: Shell, weight: number): void {
    if (this.#kept.get(owner) === shell) this.#kept.delete(owner)
    this.left(weight)
  }

  /**
   * Counts a discarded isolate, and schedules a garbage collection after some of them. Without it, the engine
   * keeps the isolate, because its handle is small. Must be called in the object that held the handle.
   */
  left(weight = SHELLS_COLLECT_AFTER): void {
    this.#uncollected += weight
    if (this.#uncollected < SHELLS_COLLECT_AFTER) return
    this.#uncollected = 0
    // Deferred, because the caller still holds the handle.
    setTimeout(this.#collect, 0)
  }
}
