// The Schedule object; there is one for each schedule. Its alarm records each planned time as a delivery to itself,
// which starts one run. Never calls the model.

import { StoredObject } from '../backup/stored-object.ts'
import type { Env } from '../env/env.ts'
import { isSha256 } from '../lib/bytes.ts'
import { rfc3339, systemClock, type Clock } from '../lib/clock.ts'
import { derivedId, newId } from '../lib/ids.ts'
import { migrate } from '../lib/migrate.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { PAGE_SIZE_MAX } from '../limits/requests.ts'
import { TOO_MANY_RUNS_RETRY_S } from '../limits/runs.ts'
import { currentBuild } from '../skills/current-build.ts'
import { Allowance } from '../unattended/allowance.ts'
import { forgetUser } from '../unattended/forget-user.ts'
import { fixedOptions } from '../unattended/options.ts'
import { failPromisedRun, startPromisedRun } from '../unattended/start.ts'
import type { RecordedDelivery } from '../webhooks/deliveries.ts'
import { DeliveryStarts } from '../webhooks/delivery-starts.ts'
import { countWaiting, findById, insertDelivery, sweep } from '../webhooks/rows.ts'
import { SCHEDULE_NEXT_SHOWN, SCHEDULE_WAITING_MAX } from './limits.ts'
import type {
  OccurrenceInfo,
  RequestedRun,
  ScheduleApi,
  ScheduleConfig,
  ScheduleFields,
  ScheduleView,
} from './api.ts'
import { SCHEDULE_BACKUP } from './backup.ts'
import { attemptOf, occurrenceOf, scheduleStarter } from './occurrences.ts'
import { jitterMs, planAt, type Missed } from './plan.ts'
import * as rows from './rows.ts'
import { SCHEDULE_MIGRATIONS } from './schema.ts'
import type * as times from './times.ts'

// Loaded when needed, because the library for cron expressions would slow down every start of the Worker.
const timesModule = (): Promise<typeof times> => import('./times.ts')

const NO_SCHEDULE = fail('not_found', 'There is no such schedule.')

export class Schedule extends StoredObject implements ScheduleApi {
  // Private at run time: a member that is private only in TypeScript could be called over RPC.
  readonly #sql: SqlStorage
  readonly #clock: Clock
  readonly #starts: DeliveryStarts<rows.StoredSchedule>
  readonly #allowance: Allowance

  constructor(ctx: DurableObjectState, env: Env, clock: Clock = systemClock) {
    super(ctx, env, SCHEDULE_BACKUP)
    this.#sql = ctx.storage.sql
    this.#clock = clock
    this.#allowance = new Allowance(env, clock)
    this.#starts = new DeliveryStarts({
      ctx,
      env,
      kind: 'schedule',
      clock,
      source: () => this.#stored(),
      start: async (thread, schedule, delivery) => {
        await this.#refreshAllowance(schedule)
        return startPromisedRun(thread, attemptOf(this.#allowance.limit(schedule), delivery), clock())
      },
      end: (thread, schedule, delivery) =>
        failPromisedRun(thread, attemptOf(schedule, delivery), 'The schedule was deleted.'),
      wakeAt: () => {
        const schedule = this.#stored()
        return schedule?.nextAt == null ? null : schedule.nextAt + delayOf(schedule)
      },
      deleteAll: async () => {
        this.isConfigured = false
        await ctx.storage.deleteAll()
      },
    })
  }

  async configure(config: ScheduleConfig): Promise<Result<ScheduleView>> {
    const [threadId, { nextTime }] = [await threadOf(config), await timesModule()]
    if (this.#stored()?.removed) return fail('gone', 'This schedule was deleted. Create another one.')
    this.ctx.storage.transactionSync(() => {
      migrate(this.#sql, SCHEDULE_MIGRATIONS)
      rows.writeSchedule(this.#sql, config, threadId, nextTime(config)(this.#clock()))
    })
    this.isConfigured = true
    await this.#starts.setAlarm()
    return this.view(config.workspace)
  }

  async view(workspace: string): Promise<Result<ScheduleView>> {
    const schedule = this.#schedule(workspace)
    return schedule ? ok(viewOf(schedule, await timesModule())) : NO_SCHEDULE
  }

  async change(workspace: string, fields: ScheduleFields): Promise<Result<ScheduleView>> {
    const { id, created_at } = this.#schedule(workspace) ?? {}
    if (id === undefined || created_at === undefined) return NO_SCHEDULE
    const config = { ...fields, id, workspace, created_at }
    const [threadId, { nextTime }] = [await threadOf(config), await timesModule()]
    // Read again: it may have been paused or deleted meanwhile.
    const schedule = this.#schedule(workspace)
    if (!schedule) return NO_SCHEDULE
    const { cron, at, time_zone, paused, nextAt } = schedule
    const isSame = cron === config.cron && at === config.at && time_zone === config.time_zone
    // A planned time counts as come only when its run would start, so it is not lost if the new times contain it, too.
    const next = paused ? null : isSame ? nextAt : nextTime(config)(this.#clock() - delayOf(schedule))
    rows.writeSchedule(this.#sql, config, threadId, next)
    await this.#starts.setAlarm()
    return this.view(workspace)
  }

  async setPaused(workspace: string, paused: boolean): Promise<Result<ScheduleView>> {
    const { nextTime } = await timesModule()
    const schedule = this.#schedule(workspace)
    if (!schedule) return NO_SCHEDULE
    if (schedule.paused !== paused) {
      rows.setPaused(this.#sql, paused, paused ? null : nextTime(schedule)(this.#clock()))
      await this.#starts.setAlarm()
    }
    return this.view(workspace)
  }

  async run(workspace: string, build: string, key: string | null): Promise<Result<RequestedRun>> {
    const schedule = this.#schedule(workspace)
    if (!schedule) return NO_SCHEDULE
    await this.#refreshAllowance(schedule)
    const id = newId('oc')
    const trigger = { requested: key ?? id }
    const known = findById(this.#sql, rows.triggerKey(trigger))
    if (!known && countWaiting(this.#sql) >= SCHEDULE_WAITING_MAX)
      return fail('too_many_runs', `${TOO_MANY_WAIT} Try again later.`, {
        retryAfterS: TOO_MANY_RUNS_RETRY_S,
      })
    const { reason, opensInS } = this.#allowance
    if (!known && reason !== null && opensInS !== null)
      return fail('quota_exceeded', reason, { retryAfterS: opensInS })
    if (!known) this.#record(occurrenceOf(schedule, id, trigger, build, this.#clock()))
    await this.#starts.setAlarm()
    this.ctx.waitUntil(this.#starts.startDue())
    const row = known ?? findById(this.#sql, rows.triggerKey(trigger))
    if (!row?.thread_id || !row.run_id) return NO_SCHEDULE
    return ok({ occurrence_id: row.delivery_id, thread_id: row.thread_id, run_id: row.run_id })
  }

  async forgetUser(workspace: string, user: string): Promise<Result<boolean>> {
    return this.#stored()?.workspace === workspace ? ok(forgetUser(this.#sql, 'schedule', user)) : NO_SCHEDULE
  }

  async occurrences(
    workspace: string,
    limit: number,
    before: number | null,
  ): Promise<Result<readonly OccurrenceInfo[]>> {
    if (!this.#schedule(workspace)) return NO_SCHEDULE
    // Allows one occurrence more than a page, so that the caller knows whether there is another page.
    const most = Math.min(Math.max(1, Math.trunc(limit) || 1), PAGE_SIZE_MAX + 1)
    return ok(rows.listOccurrences(this.#sql, most, before))
  }

  async threadHasRoom(threadId: string): Promise<void> {
    if (this.#stored()) this.#starts.threadHasRoom(threadId)
  }

  async remove(workspace: string): Promise<Result<null>> {
    if (!this.#schedule(workspace)) return NO_SCHEDULE
    this.ctx.storage.transactionSync(() => rows.markScheduleRemoved(this.#sql))
    await this.#starts.setAlarm()
    this.ctx.waitUntil(this.#starts.startDue())
    return ok(null)
  }

  override async alarm(): Promise<void> {
    this.#starts.alarmFired()
    try {
      if (this.isConfigured) {
        const [schedule, { nextTime }] = [this.#stored(), await timesModule()]
        if (schedule?.nextAt != null) await this.#refreshAllowance(schedule)
        sweep(this.#sql, this.#clock())
        this.ctx.storage.transactionSync(() => this.#recordDue(nextTime))
        // Set in the same block, so that a crash before the runs have started loses nothing.
        await this.#starts.setAlarm()
      }
      await this.#starts.startDue()
    } finally {
      // The alarm is set again here, because the platform's own retries are limited.
      await this.#starts.setAlarm()
    }
  }

  /** Records the planned times that have come. The key of an occurrence is its time, so each is recorded once. */
  #recordDue(nextTime: typeof times.nextTime): void {
    const [schedule, build] = [this.#stored(), currentBuild()]
    // A run needs a build. Without one, the time stays due, and the next alarm tries it again.
    if (!schedule || schedule.removed || !isSha256(build)) return
    const now = this.#clock()
    const plan = planAt(nextTime(schedule), schedule.nextAt, now - delayOf(schedule), schedule.missed)
    if (plan.next !== schedule.nextAt) rows.setNext(this.#sql, plan.next)
    if (plan.missed) this.#skip(plan.missed.first, missedReason(plan.missed), now)
    if (plan.run === null) return
    const trigger = { planned: plan.run }
    if (findById(this.#sql, rows.triggerKey(trigger))) return
    const reason = countWaiting(this.#sql) >= SCHEDULE_WAITING_MAX ? TOO_MANY_WAIT : this.#allowance.reason
    if (reason !== null) return this.#skip(plan.run, reason, now)
    this.#record(occurrenceOf(schedule, newId('oc'), trigger, build, now))
  }

  #record(occurrence: RecordedDelivery): void {
    insertDelivery(this.#sql, occurrence)
    this.#starts.counts.count('recorded')
  }

  #skip(planned: number, reason: string, now: number): void {
    rows.insertSkipped(this.#sql, newId('oc'), planned, reason, now)
    this.#starts.counts.count('skipped')
  }

  #refreshAllowance({ id, workspace, user }: rows.StoredSchedule): Promise<void> {
    return this.#allowance.refresh({ id: scheduleStarter(id), workspace }, user)
  }

  // There are no tables before configure(), so requests for unknown schedules store nothing.
  #stored(): rows.StoredSchedule | null {
    return this.isConfigured ? rows.readSchedule(this.#sql) : null
  }

  /** The schedule as callers of its workspace see it: a deleted one does not exist. */
  #schedule(workspace: string): rows.StoredSchedule | null {
    const schedule = this.#stored()
    return schedule?.workspace === workspace && !schedule.removed ? schedule : null
  }
}

const TOO_MANY_WAIT = `${SCHEDULE_WAITING_MAX} runs of this schedule wait to start, which is the limit.`

function missedReason({ count, isMore, first }: Missed): string {
  const times =
    count === 1 && !isMore
      ? 'This time was'
      : `${isMore ? 'More than ' : ''}${count} times from ${rfc3339(first)} on were`
  return `${times} missed: the deployment was down, or its clock was changed.`
}

/** How long after a planned time its run starts. A single time is exact. */
function delayOf({ id, cron }: Pick<ScheduleConfig, 'id' | 'cron'>): number {
  return cron === null ? 0 : jitterMs(id)
}

async function threadOf(config: ScheduleConfig): Promise<string | null> {
  const { workspace, id, thread } = config
  return thread === 'one' ? derivedId('th', [workspace, 'schedule', id, fixedOptions(config)]) : null
}

function viewOf(schedule: rows.StoredSchedule, { nextTime, nextTimes }: typeof times): ScheduleView {
  const { threadId: _, removed: __, paused, nextAt, ...config } = schedule
  const later = nextAt === null ? [] : nextTimes(nextTime(config), nextAt, SCHEDULE_NEXT_SHOWN - 1)
  return {
    ...config,
    state: paused ? 'paused' : nextAt === null ? 'ended' : 'active',
    next: (nextAt === null ? [] : [nextAt, ...later]).map(rfc3339),
    starts_after_s: Math.ceil(delayOf(config) / 1000),
  }
}
