// Chooses the isolate for a job. Ids are stable, because equal code under one id is billed as one Worker per
// day.

import { ExpiringCache } from '../lib/expiring-cache.ts'
import { withDisposedResults } from '../lib/dispose-results.ts'
import { pause } from '../lib/pause.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { DAY_MS } from '../lib/clock.ts'
import { SANDBOX_ABANDONED_COUNTS_MAX, SANDBOX_ISOLATE_ATTEMPTS_MAX } from './limits.ts'
import type { Guest, GuestResult } from './guest.ts'
import type { JobResult, Loader } from './loader.ts'
import type { InstalledPackages } from './installed-packages.ts'
import { Shells } from './shells.ts'
import { spacedStarts } from './spaced-starts.ts'
import type { Runtime, RuntimeName, Runtimes } from './runtimes.ts'

const NO_LOADER = 'this server cannot load isolates: its binding LOADER is missing'

export class Isolates {
  readonly #loader: Loader | null
  readonly #runtimes: Runtimes
  readonly #now: () => number
  readonly #shells: Shells | null
  /** Resolves when the next isolate may start. */
  readonly #mayStart: () => Promise<void>
  /** The number of abandoned isolates per slot. It is part of the ID of the slot's isolate. */
  readonly #abandonedCounts = new ExpiringCache<number>(SANDBOX_ABANDONED_COUNTS_MAX, DAY_MS)

  /**
   * `loader` is null if none is configured; every job then fails with a message. `collect` runs the garbage collector
   * on a local server, which never evicts named isolates.
   */
  constructor(
    loader: Loader | null,
    runtimes: Runtimes,
    now: () => number,
    collect: (() => void) | null = null,
  ) {
    this.#loader = loader
    this.#shells = loader && collect ? new Shells(loader, collect) : null
    this.#mayStart = collect ? spacedStarts(now, pause) : async () => {}
    this.#runtimes = runtimes
    this.#now = now
  }

  /** Why no job of this runtime can run, or null if no reason is known. */
  async unavailableReason(name: RuntimeName): Promise<string | null> {
    if (!this.#loader) return NO_LOADER
    const runtime = await this.#runtimes.get(name)
    return runtime.ok ? null : runtime.error
  }

  /** The imports that scripts can use in addition to the standard library. */
  async installed(): Promise<InstalledPackages> {
    return this.#runtimes.installed()
  }

  /** The bytes of a pack of the packages; null if there is no such pack. */
  async readPack(part: string): Promise<Uint8Array | null> {
    return this.#runtimes.readPack(part)
  }

  /**
   * Calls `use` with an isolate of `owner`: the first of `slots` that is free, or else a temporary isolate. Fails with
   * a message if none is available. If `use` rejects, this rejects too, and the isolate is not used again.
   */
  async lend(
    name: RuntimeName,
    owner: string,
    slots: number,
    use: (guest: Guest) => Promise<JobResult>,
  ): Promise<Result<GuestResult, string>> {
    if (!this.#loader) return err(NO_LOADER)
    const loaded = await this.#runtimes.get(name)
    if (!loaded.ok) return loaded
    const runtime: Runtime = {
      digest: loaded.value.digest,
      code: async () => {
        await this.#mayStart()
        return loaded.value.code()
      },
    }
    if (this.#shells && name === 'bash')
      return ok(
        await this.#shells.lend(`${runtime.digest} ${owner}`, runtime, (entry) => use(guestOf(entry))),
      )
    for (let slot = 0; slot < slots; slot++) {
      const result = await this.#useSlot(
        this.#loader,
        runtime,
        `${name} ${runtime.digest} ${owner} ${slot}`,
        use,
      )
      if (result) return ok(result)
    }
    try {
      const result = await use(guestOf(this.#loader.load(await runtime.code()).getEntrypoint()))
      return 'busy' in result ? err('all isolates are busy. Try once more') : ok(result)
    } finally {
      this.#shells?.countDiscarded()
    }
  }

  /** Calls `use` with the isolate of a slot. Returns null if it is busy. */
  async #useSlot(
    loader: Loader,
    runtime: Runtime,
    slot: string,
    use: (guest: Guest) => Promise<JobResult>,
  ): Promise<GuestResult | null> {
    for (let attempt = 0; attempt < SANDBOX_ISOLATE_ATTEMPTS_MAX; attempt++) {
      const abandonedCount = this.#abandonedCounts.get(slot, this.#now()) ?? 0
      const abandon = (): void => this.#abandonedCounts.set(slot, abandonedCount + 1, this.#now())
      try {
        const child = loader.get(`${slot} ${abandonedCount}`, () => runtime.code())
        const answer = await use(guestOf(child.getEntrypoint()))
        if (answer.spent === true) abandon()
        if (!('busy' in answer)) return answer
        if (answer.spent !== true) return null
      } catch (error) {
        // An isolate that failed, or did not start, stays broken under its ID.
        abandon()
        throw error
      }
    }
    return null
  }
}

/** The cast is safe: the entry points of src/sandbox/<name>/ implement this interface. */
function guestOf(entry: object): Guest {
  return withDisposedResults(entry as Guest)
}
