// What the workspace allows a hook or schedule: whether a cap is reached, and the largest budget of a run. Kept in
// memory. Only avoids promises that could not be kept: the workspace decides again when a run starts.

import { objects, type Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { lowered, type MaxBudget } from '../lib/max-budget.ts'
import { logText } from '../lib/redact.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { CAP_RUNS_MIN, CAP_TOKENS_MIN, CAP_USD_MIN } from '../limits/caps.ts'
import type { CapState } from '../workspace/cap-api.ts'
import type { RunOptions, Starter } from './options.ts'
import { ALLOWANCE_MAX_AGE_MS, ALLOWANCE_TIMEOUT_MS, CAPPED_ALLOWANCE_MAX_AGE_MS } from './limits.ts'

/** A cap counts as reached if less than this is left, which is the smallest valid cap. */
const LEAST = { usd: CAP_USD_MIN, tokens: CAP_TOKENS_MIN, runs: CAP_RUNS_MIN } as const

/** Of the caps that are reached, returns the one that resets last. */
function reachedOf(states: readonly CapState[]): CapState | null {
  const reached = states.filter(({ cap, spent }) =>
    (['usd', 'tokens', 'runs'] as const).some((name) => (cap[name] ?? Infinity) - spent[name] < LEAST[name]),
  )
  return reached.toSorted((a, b) => Date.parse(b.resets_at) - Date.parse(a.resets_at))[0] ?? null
}

export class Allowance {
  readonly #env: Env
  readonly #clock: Clock
  #maxBudget: MaxBudget = {}
  #reached: CapState | null = null
  /** Until when the stored limits are used without asking again, in epoch milliseconds. */
  #freshUntil = 0
  #asking: Promise<void> | null = null

  constructor(env: Env, clock: Clock) {
    this.#env = env
    this.#clock = clock
  }

  /** Asks the workspace, unless the stored limits are recent. They are kept if it does not answer. Never throws. */
  refresh(starter: Starter, user: string | null): Promise<void> {
    // The clock may have been set back.
    const leftMs = this.#freshUntil - this.#clock()
    if (leftMs > 0 && leftMs <= ALLOWANCE_MAX_AGE_MS) return Promise.resolve()
    this.#asking ??= this.#ask(starter, user)
      .catch((error: unknown) => console.warn(JSON.stringify({ at: 'allowance', error: logText(error) })))
      .finally(() => (this.#asking = null))
    return this.#asking
  }

  async #ask({ id, workspace }: Starter, user: string | null): Promise<void> {
    const stub = objects(this.#env).workspace(workspace)
    this.#freshUntil = this.#clock() + ALLOWANCE_MAX_AGE_MS
    const answer = await withTimeout(ALLOWANCE_TIMEOUT_MS, Promise.all([stub.limits(), stub.quota(id, user)]))
    const [limits, states] = answer ?? []
    if (!limits?.ok || !states?.ok) return
    this.#maxBudget = limits.value.limits.max_budget.hook ?? {}
    this.#reached = reachedOf(states.value)
    if (states.value.length > 0) this.#freshUntil = this.#clock() + CAPPED_ALLOWANCE_MAX_AGE_MS
  }

  /** Seconds until the reached cap resets; null if none is reached. */
  get opensInS(): number | null {
    if (!this.#reached) return null
    return Math.max(1, Math.ceil((Date.parse(this.#reached.resets_at) - this.#clock()) / 1_000))
  }

  /** Says which cap is reached, for admins; null if none is. */
  get reason(): string | null {
    if (!this.#reached) return null
    const { scope, window, resets_at } = this.#reached
    const whose = scope === 'workspace' ? 'the workspace' : scope
    return `The cap per UTC ${window} for ${whose} is reached. The next ${window} begins at ${resets_at}.`
  }

  /** The options with the budget that the workspace allows. */
  limit<O extends Pick<RunOptions, 'budget'>>(options: O): O {
    return { ...options, budget: lowered(options.budget, this.#maxBudget) }
  }
}
