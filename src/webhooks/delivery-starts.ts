// Starts the runs of an object's recorded deliveries, one at a time, and sets the object's alarm. The object is a
// hook, whose sender delivers, or a schedule, whose clock does. Never records a delivery.

import { objects, type Env } from '../env/env.ts'
import { DAY_MS, type Clock } from '../lib/clock.ts'
import { withDisposedResults } from '../lib/dispose-results.ts'
import { pause } from '../lib/pause.ts'
import { logText } from '../lib/redact.ts'
import type { ThreadApi } from '../thread/api.ts'
import { START_FIRST_PAUSE_MS } from '../unattended/limits.ts'
import type { StartOutcome } from '../unattended/start.ts'
import type { HookConfig } from './api.ts'
import type { RecordedDelivery } from './deliveries.ts'
import type { DeliveryKind } from '../workspace/count-api.ts'
import { CountReports } from './count-reports.ts'
import { reportDead } from './dead-deliveries.ts'
import { START_COOLDOWN } from './limits.ts'
import * as rows from './rows.ts'

/** What the starts need to know about a hook or schedule. */
interface Source {
  readonly id: string
  readonly workspace: string
  /** How many days bodies are kept after their delivery no longer waits; by default none. */
  readonly keep_days?: HookConfig['keep_days']
  /** If true, deliveries end without a run. */
  readonly removed: boolean
}

type StartingThread = Pick<ThreadApi, 'start' | 'startFailed'>

/** The object that has the deliveries. */
interface DeliveryOwner<S extends Source> {
  readonly ctx: DurableObjectState
  readonly env: Env
  readonly kind: DeliveryKind
  readonly clock: Clock
  /** Its current configuration; null before there is one. */
  readonly source: () => S | null
  /** Starts the run of a delivery; see startPromisedRun. */
  readonly start: (thread: StartingThread, from: S, delivery: RecordedDelivery) => Promise<StartOutcome>
  /** Ends a delivery of a removed object; see failPromisedRun. */
  readonly end: (thread: StartingThread, from: S, delivery: RecordedDelivery) => Promise<StartOutcome>
  /** When the object itself must wake up, apart from its deliveries; null if never. */
  readonly wakeAt: (now: number) => number | null
  /** Deletes everything of a removed object. Called once every promised run exists. */
  readonly deleteAll: () => Promise<void>
}

export class DeliveryStarts<S extends Source> {
  readonly #owner: DeliveryOwner<S>
  readonly #sql: SqlStorage
  /** Counts what becomes of deliveries. */
  readonly counts: CountReports
  // Passes over the waiting deliveries run one at a time, so that no delivery is started twice.
  #passes: Promise<void> = Promise.resolve()
  // Whether a pass waits for the current one. It will see every delivery that is recorded until it begins.
  #isPassWaiting = false
  #starting: RecordedDelivery | null = null
  /** Whether the thread of that delivery got room since its start was requested. */
  #gotRoom = false
  /** When the last deliveries were received, oldest first. */
  #receivedAt: readonly number[] = []
  /** The time of the alarm, if this instance set it and it has not fired since; else null. */
  #alarmAt: number | null = null

  constructor(owner: DeliveryOwner<S>) {
    this.#owner = owner
    this.#sql = owner.ctx.storage.sql
    const { env, kind, source } = owner
    this.counts = new CountReports({ env, kind, source, countWaiting: () => rows.countWaiting(this.#sql) })
  }

  /** Starts the deliveries that are due. Never throws: the rows still contain a delivery that did not start. */
  startDue(): Promise<void> {
    if (this.#isPassWaiting) return this.#passes
    this.#isPassWaiting = true
    this.#passes = this.#passes
      .then(() => {
        this.#isPassWaiting = false
        return this.#startDueDeliveries()
      })
      .catch((error: unknown) => {
        const line = {
          event: 'delivery.pass_failed',
          object: this.#owner.ctx.id.name,
          error: logText(error),
        }
        console.error(JSON.stringify(line))
      })
    return this.#passes
  }

  /** The delivery that is being started; null if none is. */
  get starting(): string | null {
    return this.#starting?.id ?? null
  }

  /** Must be called for each delivery: while many arrive, starts leave them time. */
  delivered(): void {
    this.#receivedAt = [...this.#receivedAt, this.#owner.clock()].slice(-START_COOLDOWN.deliveries)
  }

  /** Starts what waits for this thread. Never throws. */
  threadHasRoom(threadId: string): void {
    // The thread's refusal may arrive after this.
    if (this.#starting?.threadId === threadId) this.#gotRoom = true
    rows.endThreadWait(this.#sql, threadId, this.#owner.clock())
    this.#owner.ctx.waitUntil(this.startDue())
  }

  async #startDueDeliveries(): Promise<void> {
    const { env, clock, source, start, end } = this.#owner
    for (;;) {
      const from = source()
      const delivery = from && rows.nextDue(this.#sql, clock())
      if (!delivery) break
      this.#starting = delivery
      this.#gotRoom = false
      const beganAt = clock()
      const thread = withDisposedResults(objects(env).thread(from.workspace, delivery.threadId))
      const result = from.removed ? await end(thread, from, delivery) : await start(thread, from, delivery)
      const isOver = this.#gotRoom && result.state === 'recorded' && result.tries === delivery.tries
      const outcome = isOver ? { ...result, waitMs: 0 } : result
      this.#starting = null
      // If the object was removed meanwhile, the delivery ends now instead of after its next wait.
      if (outcome.state === 'recorded' && !from.removed && source()?.removed) continue
      const now = clock()
      rows.settleDelivery(this.#sql, delivery.id, outcome, now, keepMsOf(from) > 0)
      if (outcome.state === 'recorded') this.counts.reportSoon()
      else this.counts.count(outcome.state)
      if (this.#isFlooded(now)) await this.#leaveTime(now - beganAt)
      if (outcome.state !== 'recorded') continue
      if (outcome.affects === 'build')
        rows.postponeBuild(this.#sql, delivery.build, outcome.waitMs, outcome.problem, now)
      // If there is no space for this delivery, there is none for later ones.
      if (outcome.affects === 'starter') break
    }
    const from = source()
    if (from && !from.removed) await reportDead(this.#sql, env, from, clock())
    // The next pass does the rest, and until then the alarm of its delivery is set.
    if (this.#isPassWaiting && source()?.removed === false) return
    if (source()?.removed && rows.countWaiting(this.#sql) === 0) {
      this.#alarmAt = null
      await this.counts.report()
      return this.#owner.deleteAll()
    }
    await this.setAlarm()
  }

  #isFlooded(now: number): boolean {
    const { deliveries, withinMs } = START_COOLDOWN
    const oldest = this.#receivedAt.at(-deliveries)
    return oldest !== undefined && oldest > now - withinMs
  }

  /** A run that starts takes time from deliveries that arrive, which senders want answered soon. */
  async #leaveTime(tookMs: number): Promise<void> {
    const ms = Math.min(tookMs * START_COOLDOWN.factor, START_COOLDOWN.maxMs)
    if (ms > 0) await pause(ms)
  }

  /** Must be called when the alarm fires. */
  alarmFired(): void {
    this.#alarmAt = null
  }

  /**
   * Sets the alarm for a delivery that was just recorded: cheaper than looking for the next time, and free if a known
   * alarm fires as soon.
   */
  async setAlarmSoon(): Promise<void> {
    const at = this.#owner.clock() + START_FIRST_PAUSE_MS
    if (!this.#firesBy(at)) await this.#setAlarmAt(at)
  }

  /** Ensures that the alarm fires at this time or earlier, for a row that expires then. */
  async setAlarmBy(at: number): Promise<void> {
    if (!this.#firesBy(at)) await this.setAlarm()
  }

  async setAlarm(): Promise<void> {
    const { ctx, clock, source, wakeAt } = this.#owner
    const from = source()
    if (!from) return
    const now = clock()
    const isFinished = from.removed && rows.countWaiting(this.#sql) === 0
    const times = isFinished ? [now] : [rows.nextWake(this.#sql, now, keepMsOf(from)), wakeAt(now)]
    const known = times.filter((time) => time !== null)
    if (known.length === 0) {
      this.#alarmAt = null
      return ctx.storage.deleteAlarm()
    }
    // The alarm never fires immediately, so that a row that cannot be settled does not make it fire
    // continuously.
    return this.#setAlarmAt(Math.max(Math.min(...known), now + START_FIRST_PAUSE_MS))
  }

  async #setAlarmAt(at: number): Promise<void> {
    this.#alarmAt = at
    await this.#owner.ctx.storage.setAlarm(at)
  }

  /** An alarm that should have fired may have been lost with the clock, so only one in the future counts. */
  #firesBy(at: number): boolean {
    return this.#alarmAt !== null && this.#alarmAt > this.#owner.clock() && this.#alarmAt <= at
  }
}

/** How long bodies are kept after their delivery no longer waits. */
export function keepMsOf({ keep_days = 0 }: Pick<Source, 'keep_days'>): number {
  return keep_days * DAY_MS
}
