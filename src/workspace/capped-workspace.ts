// Gives the workspace its caps. Without any, nothing is read or written.

import { rfc3339, systemClock } from '../lib/clock.ts'
import { ok, type Result } from '../lib/result.ts'
import type { Caps, Lease, LeaseWish, LimitsPatch, WorkspaceLimits } from './cap-api.ts'
import { changeLimits, NEVER_LIMITED, scopedCaps, storedLimits, type ScopedCap } from './cap-limits.ts'
import { capStates, grantLease, type Lessee } from './leases.ts'
import { ManagedWorkspace, type Answer, type Args } from './managed-workspace.ts'
import { pageOfVersions } from './versions.ts'

interface CapsInForce {
  readonly limits: WorkspaceLimits
  /** The caps of the keys that have caps of their own. */
  readonly ofKeys: ReadonlyMap<string, Caps>
}

export abstract class CappedWorkspace extends ManagedWorkspace {
  /** Null if not read yet. Only this object changes them. */
  #inForce: CapsInForce | null = null

  protected override forgetCaches(): void {
    super.forgetCaches()
    this.#inForce = null
  }

  #caps(): CapsInForce {
    if (this.#inForce) return this.#inForce
    const rows = this.hasTables
      ? this.open()
          .exec<{ id: string; caps: string }>('SELECT id, caps FROM keys WHERE caps IS NOT NULL')
          .toArray()
      : []
    // The cast is safe: createKey() and changeKey() wrote the column.
    const ofKeys = new Map(rows.map(({ id, caps }) => [id, JSON.parse(caps) as Caps]))
    const { limits } = this.hasTables ? storedLimits(this.open()) : NEVER_LIMITED
    this.#inForce = { limits, ofKeys }
    return this.#inForce
  }

  #capsOf(key: string | null, user: string | null): readonly ScopedCap[] {
    const { limits, ofKeys } = this.#caps()
    return scopedCaps(limits, key, user, (key === null ? null : ofKeys.get(key)) ?? null)
  }

  override async createKey(...args: Args<'createKey'>): Answer<'createKey'> {
    this.#inForce = null
    return super.createKey(...args)
  }

  override async changeKey(...args: Args<'changeKey'>): Answer<'changeKey'> {
    this.#inForce = null
    return super.changeKey(...args)
  }

  async limits(): Answer<'limits'> {
    return ok(this.hasTables ? storedLimits(this.open()) : NEVER_LIMITED)
  }

  async changeLimits(change: Args<'changeLimits'>[0]): Answer<'changeLimits'> {
    const sql = this.open()
    this.#inForce = null
    return this.ctx.storage.transactionSync(() => changeLimits(sql, change, rfc3339(systemClock())))
  }

  async limitsHistory(...[cursor, limit]: Args<'limitsHistory'>): Answer<'limitsHistory'> {
    return pageOfVersions<LimitsPatch>(this.open(), 'limits', cursor, limit)
  }

  async quota(...[key, user]: Args<'quota'>): Answer<'quota'> {
    const caps = this.#capsOf(key, user)
    if (caps.length === 0) return ok([])
    return ok(capStates(this.open(), caps, systemClock()))
  }

  async lease(...[thread, run, key, wish]: Args<'lease'>): Answer<'lease'> {
    return this.grant({ thread, run, key }, wish, { begins: false, queued: false })
  }

  /** See grantLease(). */
  protected async grant(
    lessee: Lessee,
    wish: LeaseWish,
    how: { readonly begins: boolean; readonly queued: boolean },
  ): Promise<Result<Lease | null>> {
    const caps = this.#capsOf(lessee.key, wish.user)
    const { thread } = this.#caps().limits
    if (caps.length === 0 && Object.keys(thread).length === 0) return ok(null)
    const sql = this.open()
    const lease = this.ctx.storage.transactionSync(() =>
      grantLease(sql, lessee, wish, caps, thread, how, systemClock()),
    )
    if (!lease.ok || lease.value === null || lease.value.warnings.length === 0) return lease
    const listeners = (this.listeners() ?? []).filter(({ events }) => events.includes('budget.warning'))
    return ok({ ...lease.value, listeners: listeners.map(({ id }) => id) })
  }
}
