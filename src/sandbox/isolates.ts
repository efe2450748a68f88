// Which isolate a job runs in. Ids are stable, for equal code under one id is priced as one Worker a day; a job's own limits,
// files and words are somebody else's concern.

import { Recent } from '../lib/recent.ts'
import { released } from '../lib/released.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { DAY_MS } from '../lib/clock.ts'
import { SANDBOX_SPENT_KEPT, SANDBOX_SPENT_PASSED } from './limits.ts'
import type { Guest, GuestResult } from './guest.ts'
import type { JobResult, Loader } from './loader.ts'
import { Shells } from './shells.ts'
import type { Runtime, RuntimeName, Runtimes } from './runtimes.ts'

const NO_LOADER = 'this server has no loader of isolates (its binding LOADER)'

export class Isolates {
  readonly #loader: Loader | null
  readonly #runtimes: Runtimes
  readonly #now: () => number
  readonly #shells: Shells | null
  /** The number of the isolate that has a place now; from 0. */
  readonly #numbers = new Recent<number>(SANDBOX_SPENT_KEPT, DAY_MS)

  /**
   * `loader` null: there is none, and every job is refused in words. `collect` where nobody evicts isolates that have a
   * name: has the engine free what nobody refers to.
   */
  constructor(
    loader: Loader | null,
    runtimes: Runtimes,
    now: () => number,
    collect: (() => void) | null = null,
  ) {
    this.#loader = loader
    this.#shells = loader && collect ? new Shells(loader, collect) : null
    this.#runtimes = runtimes
    this.#now = now
  }

  /** Why no job of this runtime can run here; null: it can, as far as one sees before. */
  async lacks(name: RuntimeName): Promise<string | null> {
    if (!this.#loader) return NO_LOADER
    const found = await this.#runtimes.of(name)
    return found.ok ? null : found.error
  }

  /**
   * Has `use` run a job in an isolate of `owner`: the first of `places` that is free, else one that is thrown away after
   * it. Fails with words where none can be had at all. Rejects as `use` does; then that isolate is not used again.
   */
  async lend(
    name: RuntimeName,
    owner: string,
    places: number,
    use: (guest: Guest) => Promise<JobResult>,
  ): Promise<Result<GuestResult, string>> {
    if (!this.#loader) return err(NO_LOADER)
    const found = await this.#runtimes.of(name)
    if (!found.ok) return found
    const runtime = found.value
    if (this.#shells && name === 'bash')
      return ok(
        await this.#shells.lend(`${runtime.digest} ${owner}`, runtime, (entry) => use(guestOf(entry))),
      )
    for (let place = 0; place < places; place++) {
      const result = await this.#at(this.#loader, runtime, `${name} ${runtime.digest} ${owner} ${place}`, use)
      if (result) return ok(result)
    }
    try {
      const last = await use(guestOf(this.#loader.load(await runtime.code()).getEntrypoint()))
      return 'busy' in last ? err('every isolate for it is taken. Try once more') : ok(last)
    } finally {
      this.#shells?.left()
    }
  }

  /** Null: the isolate of this place is busy. */
  async #at(
    loader: Loader,
    runtime: Runtime,
    place: string,
    use: (guest: Guest) => Promise<JobResult>,
  ): Promise<GuestResult | null> {
    for (let passed = 0; passed < SANDBOX_SPENT_PASSED; passed++) {
      const number = this.#numbers.get(place, this.#now()) ?? 0
      const next = (): void => this.#numbers.set(place, number + 1, this.#now())
      try {
        const child = loader.get(`${place} ${number}`, () => runtime.code())
        const answer = await use(guestOf(child.getEntrypoint()))
        if (answer.spent === true) next()
        if (!('busy' in answer)) return answer
        if (answer.spent !== true) return null
      } catch (error) {
        // One that broke, or never started, stays so under its id.
        next()
        throw error
      }
    }
    return null
  }
}

/** The cast: the entry points of src/sandbox/<name>/ are written to this interface. */
function guestOf(entry: object): Guest {
  return released(entry as Guest)
}
