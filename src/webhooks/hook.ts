// The Hook object; there is one for each hook. Records authentic deliveries before it responds, and starts
// each run once.
// Never calls the model, and never stores unverified bytes.

import { DurableObject } from 'cloudflare:workers'
import { config, type Env } from '../env/env.ts'
import { sha256Hex, utf8 } from '../lib/bytes.ts'
import { rfc3339, systemClock } from '../lib/clock.ts'
import { derivedId, newId } from '../lib/ids.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { fixedOptions } from '../unattended/options.ts'
import { PAGE_SIZE_MAX, WEBHOOK_BODY_MAX_BYTES } from '../limits/requests.ts'
import { TOO_MANY_RUNS_RETRY_S } from '../limits/runs.ts'
import { DELIVERY_REPEAT_WINDOW_MS, DELIVERY_RETENTION_MS } from './limits.ts'
import type { AcceptedDelivery, DeliveryInfo, HookApi, HookConfig, HookView, RotatedHook } from './api.ts'
import { checkConfig } from './config.ts'
import { endDelivery, messageOf, startDelivery, type RecordedDelivery } from './deliveries.ts'
import { DeliveryStarts } from './delivery-starts.ts'
import * as rows from './rows.ts'
import { HOOK_MIGRATIONS } from './schema.ts'
import { contentOf } from './schemes/content.ts'
import type { Handshake, Verified } from './schemes/scheme.ts'
import { NOT_VERIFIED, SCHEMES } from './schemes/verify.ts'
import { checkSecret, newSecret } from './schemes/secret.ts'

export class Hook extends DurableObject<Env> implements HookApi {
  // Private at run time: a member that is private only in TypeScript could be called over RPC.
  readonly #sql: SqlStorage
  #isConfigured: boolean
  readonly #starts: DeliveryStarts<rows.StoredHook>

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#isConfigured = hasSchema(this.#sql)
    if (this.#isConfigured) ctx.storage.transactionSync(() => migrate(this.#sql, HOOK_MIGRATIONS))
    this.#starts = new DeliveryStarts({
      ctx,
      env,
      clock: systemClock,
      source: () => this.#storedHook(),
      start: (thread, hook, delivery) => startDelivery(thread, hook, delivery, systemClock()),
      end: (thread, hook, delivery) => endDelivery(thread, hook, delivery, 'The hook was deleted.'),
      wakeAt: () => null,
      deleteAll: async () => {
        this.#isConfigured = false
        await ctx.storage.deleteAll()
      },
    })
  }

  async configure(hook: HookConfig): Promise<Result<HookView>> {
    const errors = checkConfig(hook)
    if (hook.id !== this.ctx.id.name) errors.push({ path: 'id', message: 'is not the ID of this hook' })
    if (errors.length > 0)
      return fail('invalid_request', 'The configuration of the hook is not valid.', { errors })
    if (this.#storedHook()?.removed) return fail('gone', 'This hook was deleted. Create another one.')
    this.ctx.storage.transactionSync(() => {
      migrate(this.#sql, HOOK_MIGRATIONS)
      rows.writeHook(this.#sql, hook)
    })
    this.#isConfigured = true
    return ok(viewOf(hook))
  }

  async view(workspace: string): Promise<Result<HookView>> {
    const hook = this.#hook()
    return hook?.workspace === workspace ? ok(viewOf(hook)) : noSuchHook()
  }

  async change(fields: Omit<HookConfig, 'secret'>): Promise<Result<HookView>> {
    const hook = this.#hook()
    if (hook?.workspace !== fields.workspace) return noSuchHook()
    const { id, scheme, secret, created_at } = hook
    const changed = { ...fields, id, scheme, secret, created_at }
    const errors = checkConfig(changed)
    if (errors.length > 0)
      return fail('invalid_request', 'The configuration of the hook is not valid.', { errors })
    rows.changeHook(this.#sql, changed)
    return this.view(fields.workspace)
  }

  async rotate(workspace: string, given: string | null, overlapS: number): Promise<Result<RotatedHook>> {
    const hook = this.#hook()
    if (hook?.workspace !== workspace) return noSuchHook()
    const secret = given ?? newSecret(hook.scheme)
    const message = checkSecret(secret, hook.scheme)
    if (message !== null)
      return fail('invalid_request', 'The secret is not valid.', { errors: [{ path: 'secret', message }] })
    rows.replaceSecret(this.#sql, secret, systemClock() + overlapS * 1000)
    const rotated = this.#hook()
    return rotated ? ok({ ...viewOf(rotated), secret }) : noSuchHook()
  }

  async remove(workspace: string): Promise<Result<null>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    this.ctx.storage.transactionSync(() => rows.markRemoved(this.#sql))
    await this.#starts.setAlarm()
    this.ctx.waitUntil(this.#starts.startDue())
    return ok(null)
  }

  async deliveries(
    workspace: string,
    limit: number,
    before: number | null = null,
  ): Promise<Result<readonly DeliveryInfo[]>> {
    if (this.#hook()?.workspace !== workspace) return noSuchHook()
    // Allows one delivery more than a page, so that the caller knows whether there is another page.
    const most = Math.min(Math.max(1, Math.trunc(limit) || 1), PAGE_SIZE_MAX + 1)
    return ok(rows.listDeliveries(this.#sql, most, before))
  }

  async deliver(
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    build: string,
  ): Promise<Result<AcceptedDelivery | { readonly handshake: Handshake }>> {
    const hook = this.#hook()
    if (!hook) return noSuchHook()
    if (body.byteLength > WEBHOOK_BODY_MAX_BYTES)
      return fail(
        'too_large',
        `A delivery's body may be at most ${WEBHOOK_BODY_MAX_BYTES} bytes long. Send a shorter body.`,
      )
    const now = systemClock()
    const { previous } = hook
    const secrets = previous && now < previous.until ? [hook.secret, previous.secret] : [hook.secret]
    const verified = await SCHEMES[hook.scheme](secrets, { headers, body, now }, hook.signature)
    if (!verified.ok) {
      console.warn(JSON.stringify({ event: 'webhook.refused', hook: hook.id, reason: verified.error }))
      return NOT_VERIFIED
    }
    if (verified.value.handshake) return ok({ handshake: verified.value.handshake })
    const text = contentOf(headers['content-type'] ?? '', body)
    const content = text === null ? body : utf8(text)
    // This is checked after verification, so that only the sender learns about it. No run is promised that
    // could never start.
    const message = messageOf(hook.template, content)
    if (!message.ok) return fail('invalid_request', message.error)
    const threadId =
      hook.thread === 'one'
        ? await derivedId('th', [hook.workspace, 'hook', hook.id, fixedOptions(hook)])
        : newId('th')
    return this.#record(verified.value.id, {
      id: newId('dl'),
      webhookId: verified.value.id?.value ?? null,
      digest: await sha256Hex(body.slice()),
      body: content,
      threadId,
      runId: newId('run'),
      build,
      receivedAt: systemClock(),
      tries: 0,
    })
  }

  override async alarm(): Promise<void> {
    try {
      if (this.#isConfigured) rows.sweep(this.#sql, systemClock())
      await this.#starts.startDue()
    } finally {
      // The alarm is set again here, because the platform's own retries are limited.
      await this.#starts.setAlarm()
    }
  }

  // Looks up and writes without a wait in between, so that only one of any number of concurrent copies is
  // recorded.
  async #record(sent: Verified['id'], delivery: RecordedDelivery): Promise<Result<AcceptedDelivery>> {
    if (!this.#hook()) return noSuchHook() // removed while the delivery was being verified
    const now = systemClock()
    const existing = this.#findSame(sent, delivery.digest, now)
    if (sent && existing && existing.digest !== delivery.digest) {
      rows.countMismatch(this.#sql, sent.value, now)
      return fail(
        'delivery_mismatch',
        'This delivery ID was already used with a different body. Send a new ID for a new delivery.',
      )
    }
    if (existing) {
      // A repeated delivery suggests a crash, so waiting deliveries are tried now instead of at the next
      // alarm. A copy of a delivery that has started writes nothing.
      if (existing.state === 'recorded') this.ctx.waitUntil(this.#starts.startDue())
      const { delivery_id, thread_id, run_id } = existing
      return ok({ delivery_id, thread_id, run_id, created: false })
    }
    const most = config(this.env).perKey.queued
    if (rows.countWaiting(this.#sql) >= most)
      return fail(
        'too_many_runs',
        `${most} deliveries of this hook are waiting, which is the limit. Send this delivery again later.`,
        { retryAfterS: TOO_MANY_RUNS_RETRY_S },
      )
    rows.insertDelivery(this.#sql, delivery)
    // The alarm is set in the same block, so that the delivery resumes after a crash before the run has
    // started.
    await this.#starts.setAlarm()
    this.ctx.waitUntil(this.#starts.startDue())
    const { id, threadId, runId } = delivery
    return ok({ delivery_id: id, thread_id: threadId, run_id: runId, created: true })
  }

  /** The delivery that this one repeats, or whose ID it uses; null if it is new. */
  #findSame(id: Verified['id'], digest: string, now: number): ReturnType<typeof rows.findById> {
    if (id === null) return rows.findByDigest(this.#sql, digest, now - DELIVERY_REPEAT_WINDOW_MS)
    const known = rows.findById(this.#sql, id.value)
    if (known || id.signed) return known
    return rows.findByDigest(this.#sql, digest, now - DELIVERY_RETENTION_MS)
  }

  // There are no tables before configure(), so requests for unknown hooks store nothing.
  #storedHook(): ReturnType<typeof rows.readHook> {
    return this.#isConfigured ? rows.readHook(this.#sql) : null
  }

  /** The hook as callers see it: a deleted hook does not exist. */
  #hook(): rows.StoredHook | null {
    const hook = this.#storedHook()
    return hook?.removed ? null : hook
  }
}

function viewOf(hook: HookConfig & Partial<Pick<rows.StoredHook, 'removed' | 'previous'>>): HookView {
  const { secret: _, removed: __, previous = null, ...fields } = hook
  return { ...fields, previous_secret_until: previous && rfc3339(previous.until) }
}

function noSuchHook(): ReturnType<typeof fail> {
  return fail('not_found', 'There is no such hook.')
}
