// Keeps the shells of a local server, which never evicts named isolates although all isolates share 4 GB.
// Each shell is loaded without a name, kept for its thread, and discarded when others need the memory.

import { SHELLS_DISCARDED_BEFORE_COLLECT, SHELLS_MAX } from './limits.ts'
import type { GuestResult } from './guest.ts'
import type { JobResult, Child, Loader } from './loader.ts'
import type { Runtime } from './runtimes.ts'

interface Shell {
  readonly child: Child
  /** The number of running jobs. */
  jobs: number
}

export class Shells {
  readonly #loader: Loader
  readonly #collect: () => void
  /** Shells by owner, the least recently used first. */
  readonly #shells = new Map<string, Shell>()
  #uncollected = 0

  /** `collect` runs the garbage collector. */
  constructor(loader: Loader, collect: () => void) {
    this.#loader = loader
    this.#collect = collect
  }

  /**
   * Calls `use` with the shell of `owner`. Rejects if `use` does. Only one object may call this for an owner at a
   * time.
   */
  async lend(
    owner: string,
    runtime: Runtime,
    use: (child: object) => Promise<JobResult>,
  ): Promise<GuestResult> {
    const existing = this.#findShell(owner)
    if (existing) {
      const answer = await this.#use(owner, existing.shell, existing.entry, use)
      if (answer) return answer
    }
    const shell: Shell = { child: this.#loader.load(await runtime.code()), jobs: 0 }
    this.#shells.set(owner, shell)
    this.#discardIdle()
    const answer = await this.#use(owner, shell, shell.child.getEntrypoint(), use)
    if (!answer) throw new Error('a new shell is busy')
    return answer
  }

  #findShell(owner: string): { readonly shell: Shell; readonly entry: object } | null {
    const shell = this.#shells.get(owner)
    if (!shell) return null
    // Moves the shell to the end, because the most recently used is last.
    this.#shells.delete(owner)
    this.#shells.set(owner, shell)
    try {
      return { shell, entry: shell.child.getEntrypoint() }
    } catch {
      // The shell belonged to an earlier instance of the object, and ended with it.
      this.#shells.delete(owner)
      return null
    }
  }

  /** Calls `use`, and returns null if the shell still runs an abandoned job. */
  async #use(
    owner: string,
    shell: Shell,
    entry: object,
    use: (child: object) => Promise<JobResult>,
  ): Promise<GuestResult | null> {
    let mustDiscard = true
    shell.jobs++
    try {
      const answer = await use(entry)
      mustDiscard = answer.spent === true || 'busy' in answer
      return 'busy' in answer ? null : answer
    } finally {
      shell.jobs--
      if (mustDiscard) this.#drop(owner, shell, SHELLS_DISCARDED_BEFORE_COLLECT)
    }
  }

  /** Discards idle shells, the least recently used first. */
  #discardIdle(): void {
    for (const [owner, shell] of this.#shells) {
      if (this.#shells.size <= SHELLS_MAX) return
      if (shell.jobs === 0) this.#drop(owner, shell, 1)
    }
  }

  #drop(owner: string, shell: Shell, weight: number): void {
    if (this.#shells.get(owner) === shell) this.#shells.delete(owner)
    this.countDiscarded(weight)
  }

  /**
   * Counts a discarded isolate, and schedules a garbage collection after several of them. Without one, the engine
   * keeps the isolate, because its handle is small. Call this in the object that held the handle.
   */
  countDiscarded(weight = SHELLS_DISCARDED_BEFORE_COLLECT): void {
    this.#uncollected += weight
    if (this.#uncollected < SHELLS_DISCARDED_BEFORE_COLLECT) return
    this.#uncollected = 0
    // Deferred, because the caller still holds the handle.
    setTimeout(this.#collect, 0)
  }
}
