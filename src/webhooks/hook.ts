// The Hook object; there is one for each hook. Records authentic deliveries before it responds, and starts
// each run once.
// Never calls the model, and never stores unverified bytes.

import { StoredObject } from '../backup/stored-object.ts'
import { config, type Env } from '../env/env.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { rfc3339, systemClock } from '../lib/clock.ts'
import { migrate } from '../lib/migrate.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { PAGE_SIZE_MAX } from '../limits/requests.ts'
import type { ReplyOutcome } from '../replies/plan.ts'
import { SigningSecrets } from '../secrets/signing.ts'
import { Allowance } from '../unattended/allowance.ts'
import { forgetUser } from '../unattended/forget-user.ts'
import type {
  AcceptedDelivery,
  DeliveryAnswer,
  DeliveryDetail,
  DeliveryPage,
  DeliverySearch,
  HookTrial,
  HookApi,
  HookConfig,
  HookView,
  ReceivedDelivery,
  RotatedHook,
} from './api.ts'
import { HOOK_BACKUP } from './backup.ts'
import { checkConfig } from './config.ts'
import { endDelivery, startDelivery, hookStarter } from './deliveries.ts'
import { DeliveryRecorder } from './recorder.ts'
import { DeliveryStarts, keepMsOf } from './delivery-starts.ts'
import { DeliveryRate, TOO_OFTEN } from './rate.ts'
import * as hookRows from './hook-rows.ts'
import { judge } from './judge.ts'
import { listDeliveries, readDelivery } from './log-rows.ts'
import { resumeDelivery } from './paused-rows.ts'
import * as rows from './rows.ts'
import { HOOK_MIGRATIONS } from './schema.ts'
import { checkSecret, newSecret } from './schemes/secret.ts'

export class Hook extends StoredObject implements HookApi {
  // Private at run time: a member that is private only in TypeScript could be called over RPC.
  readonly #sql: SqlStorage
  /** The row of the hook, as this instance read it last; undefined if it was not read since the last change. */
  #known: hookRows.StoredHook | null | undefined
  readonly #starts: DeliveryStarts<hookRows.StoredHook>
  readonly #recorder: DeliveryRecorder
  readonly #secrets: SigningSecrets
  readonly #rate = new DeliveryRate()
  readonly #allowance: Allowance

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, HOOK_BACKUP)
    this.#sql = ctx.storage.sql
    this.#allowance = new Allowance(env, systemClock)
    this.#secrets = new SigningSecrets(config(env).encryptionKeys, (from, to) => {
      if (this.isConfigured) hookRows.resealHook(this.#sql, from, to)
      this.#known = undefined
    })
    this.#starts = new DeliveryStarts({
      ctx,
      env,
      kind: 'hook',
      source: () => this.#storedHook(),
      clock: systemClock,
      start: async (thread, hook, delivery) => {
        await this.#refreshAllowance(hook)
        return startDelivery(thread, this.#allowance.limit(hook), delivery, systemClock())
      },
      end: (thread, hook, delivery) => endDelivery(thread, hook, delivery, 'The hook was deleted.'),
      wakeAt: () => null,
      deleteAll: async () => {
        this.isConfigured = false
        this.#known = undefined
        await ctx.storage.deleteAll()
      },
    })
    this.#recorder = new DeliveryRecorder(ctx, this.#starts, this.#allowance, () => config(env).perKey.queued)
  }

  async configure(hook: HookConfig): Promise<Result<HookView>> {
    const errors = checkConfig(hook)
    if (hook.id !== this.ctx.id.name) errors.push({ path: 'id', message: 'is not the ID of this hook' })
    if (errors.length > 0)
      return fail('invalid_request', 'The configuration of the hook is not valid.', { errors })
    const { secret, ...fields } = hook
    const sealed = await this.#secrets.seal(hook, secret)
    if (!sealed.ok) return sealed
    if (this.#storedHook()?.removed) return fail('gone', 'This hook was deleted. Create another one.')
    this.ctx.storage.transactionSync(() => {
      migrate(this.#sql, HOOK_MIGRATIONS)
      hookRows.writeHook(this.#sql, fields, sealed.value)
    })
    this.isConfigured = true
    this.#known = undefined
    return this.view(hook.workspace)
  }

  async view(workspace: string): Promise<Result<HookView>> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const secrets = await this.#secrets.open(hook, systemClock())
    const { sealed: _, removed: __, previous, ...fields } = hook
    return ok({
      ...fields,
      previous_secret_until: previous && rfc3339(previous.until),
      secret_readable: secrets.ok,
    })
  }

  async change(fields: Omit<HookConfig, 'secret'>): Promise<Result<HookView>> {
    const hook = this.#hook()
    if (hook?.workspace !== fields.workspace) return noSuchHook()
    const { id, scheme, created_at } = hook
    const changed = { ...fields, id, scheme, created_at }
    const errors = checkConfig(changed)
    if (errors.length > 0)
      return fail('invalid_request', 'The configuration of the hook is not valid.', { errors })
    hookRows.changeHook(this.#sql, changed)
    this.#known = undefined
    return this.view(fields.workspace)
  }

  async rotate(workspace: string, given: string | null, overlapS: number): Promise<Result<RotatedHook>> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const secret = given ?? newSecret(hook.scheme)
    const message = checkSecret(secret, hook.scheme)
    if (message !== null)
      return fail('invalid_request', 'The secret is not valid.', { errors: [{ path: 'secret', message }] })
    const sealed = await this.#secrets.seal(hook, secret)
    if (!sealed.ok) return sealed
    if (!this.#hook()) return noSuchHook() // removed meanwhile
    hookRows.replaceSecret(this.#sql, sealed.value, systemClock() + overlapS * 1000)
    this.#known = undefined
    const rotated = await this.view(workspace)
    return rotated.ok ? ok({ ...rotated.value, secret }) : rotated
  }

  async remove(workspace: string): Promise<Result<null>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    this.ctx.storage.transactionSync(() => hookRows.markRemoved(this.#sql))
    this.#known = undefined
    await this.#starts.setAlarm()
    this.ctx.waitUntil(this.#starts.startDue())
    return ok(null)
  }

  async deliveries(workspace: string, search: DeliverySearch): Promise<Result<DeliveryPage>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    const limit = Math.min(Math.max(1, Math.trunc(search.limit) || 1), PAGE_SIZE_MAX)
    return ok(listDeliveries(this.#sql, { ...search, limit }))
  }

  async delivery(workspace: string, deliveryId: string): Promise<Result<DeliveryDetail>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    const delivery = readDelivery(this.#sql, deliveryId)
    return delivery ? ok(delivery) : noSuchDelivery()
  }

  async replay(workspace: string, deliveryId: string, build: string): Promise<Result<AcceptedDelivery>> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const info = readDelivery(this.#sql, deliveryId)
    if (!info) return noSuchDelivery()
    const resumed = resumeDelivery(this.#sql, deliveryId, systemClock())
    if (resumed) {
      this.ctx.waitUntil(this.#starts.setAlarm().then(() => this.#starts.startDue()))
      return ok({ ...resumed, created: true })
    }
    const { prepareReplay } = await import('./replay.ts')
    const replay = await prepareReplay(this.#sql, hook, info, build, systemClock())
    if (!replay.ok) return replay
    await this.#refreshAllowance(hook)
    if (!this.#hook()) return noSuchHook() // removed meanwhile
    return this.#recorder.enqueue({ ...hook, on_busy: 'enqueue' }, replay.value.delivery, replay.value.log)
  }

  async deliverTest(
    workspace: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    build: string,
  ): ReturnType<HookApi['deliverTest']> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const now = systemClock()
    const secrets = await this.#secrets.open(hook, now)
    if (!secrets.ok) return secrets
    const { signedTest } = await import('./trial.ts')
    const signed = await signedTest(hook, secrets.value[0], { body, headers, now })
    return this.deliver(signed.headers, signed.body, build)
  }

  async dryRun(
    workspace: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Result<HookTrial>> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const now = systemClock()
    const secrets = await this.#secrets.open(hook, now)
    if (!secrets.ok) return secrets
    const { tryDelivery } = await import('./trial.ts')
    return ok(await tryDelivery(hook, secrets.value, { body, headers, now }))
  }

  async forgetThread(workspace: string, threadId: string): Promise<Result<null>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    rows.forgetThread(this.#sql, threadId)
    return ok(null)
  }

  async forgetUser(workspace: string, user: string): Promise<Result<boolean>> {
    if (this.#storedHook()?.workspace !== workspace) return noSuchHook()
    this.#known = undefined
    return ok(forgetUser(this.#sql, 'hook', user))
  }

  async recordReply(workspace: string, deliveryId: string, outcome: ReplyOutcome): Promise<Result<null>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    rows.recordReply(this.#sql, deliveryId, outcome)
    return ok(null)
  }

  async threadHasRoom(threadId: string): Promise<void> {
    if (this.#storedHook()) this.#starts.threadHasRoom(threadId)
  }

  async deliver(
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    build: string,
  ): Promise<DeliveryAnswer> {
    const hook = this.#hook()
    if (!hook) return noSuchHook()
    const now = systemClock()
    const secrets = await this.#secrets.open(hook, now)
    const judged = secrets.ok ? await judge(hook, secrets.value, { headers, body, now }) : secrets
    if (!judged.ok) {
      this.#starts.counts.count(judged.error.code === 'unauthenticated' ? 'unverified' : 'refused')
      return judged
    }
    this.#starts.delivered()
    if ('handshake' in judged.value) return ok(judged.value)
    if (!this.#rate.allows(systemClock())) {
      this.#starts.counts.count('refused')
      return TOO_OFTEN
    }
    const [digest] = await Promise.all([sha256Hex(body.slice()), this.#refreshAllowance(hook)])
    const current = this.#hook()
    if (!current) return noSuchHook() // removed while the delivery was being verified
    return this.#recorder.record(current, judged.value, { digest, headers, build, now: systemClock() })
  }

  async deliverAll(received: readonly ReceivedDelivery[]): Promise<readonly DeliveryAnswer[]> {
    return Promise.all(received.map(({ headers, body, build }) => this.deliver(headers, body, build)))
  }

  override async alarm(): Promise<void> {
    this.#starts.alarmFired()
    try {
      const hook = this.#storedHook()
      if (hook) rows.sweep(this.#sql, systemClock(), keepMsOf(hook))
      await this.#starts.startDue()
    } finally {
      // The alarm is set again here, because the platform's own retries are limited.
      await this.#starts.setAlarm()
    }
  }

  #refreshAllowance({ id, workspace, user }: hookRows.StoredHook): Promise<void> {
    return this.#allowance.refresh({ id: hookStarter(id), workspace }, user)
  }

  // There are no tables before configure(), so requests for unknown hooks store nothing.
  #storedHook(): ReturnType<typeof hookRows.readHook> {
    if (!this.isConfigured) return null
    return (this.#known ??= hookRows.readHook(this.#sql))
  }

  /** The hook as callers see it: a deleted hook does not exist. */
  #hook(): hookRows.StoredHook | null {
    const hook = this.#storedHook()
    return hook?.removed ? null : hook
  }
}

function noSuchDelivery(): ReturnType<typeof fail> {
  return fail('not_found', 'There is no such delivery.')
}

function noSuchHook(): ReturnType<typeof fail> {
  return fail('not_found', 'There is no such hook.')
}
