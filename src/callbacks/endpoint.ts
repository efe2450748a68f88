// The Endpoint object; there is one for each address to which a workspace sends events. Its alarm sends them, so that a
// slow receiver delays nothing else. Never decides what is sent.

import { StoredObject } from '../backup/stored-object.ts'
import { config, type Env } from '../env/env.ts'
import { rfc3339, systemClock, type Clock } from '../lib/clock.ts'
import { randomFraction } from '../lib/ids.ts'
import { migrate } from '../lib/migrate.ts'
import { logText } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { PAGE_SIZE_MAX } from '../limits/requests.ts'
import type { GuardedFetch } from '../net/fetch.ts'
import { workspaceFetch } from '../net/workspace-fetch.ts'
import { SigningSecrets } from '../secrets/signing.ts'
import { CountReports } from '../webhooks/count-reports.ts'
import { checkSecret, newSecret } from '../webhooks/schemes/secret.ts'
import type {
  EndpointApi,
  EndpointChange,
  EndpointConfig,
  EndpointView,
  LogEntry,
  OutgoingEvent,
} from './api.ts'
import { ENDPOINT_BACKUP } from './backup.ts'
import { attempt, callbackPause, type SendResult } from './attempt.ts'
import { isUnder } from './is-under.ts'
import {
  CALLBACK_ALARM_PAUSE_MS,
  CALLBACK_PASS_MAX_MS,
  CALLBACKS_AT_ONCE,
  CALLBACKS_WAITING_MAX,
  ENDPOINT_FAILING_MAX_MS,
  UNREADABLE_RECHECK_MS,
} from './limits.ts'
import * as rows from './rows.ts'
import { ENDPOINT_MIGRATIONS } from './schema.ts'

export interface EndpointPorts {
  readonly now: Clock
  readonly randomFraction: () => number
  readonly fetch: (workspace: string) => GuardedFetch
}

const NOT_UNDER = 'The address is no longer under that of the endpoint.'

export class Endpoint extends StoredObject implements EndpointApi {
  readonly #sql: SqlStorage
  readonly #ports: EndpointPorts
  readonly #counts: CountReports
  readonly #secrets: SigningSecrets

  /** Tests pass `ports`. */
  constructor(ctx: DurableObjectState, env: Env, ports?: EndpointPorts) {
    super(ctx, env, ENDPOINT_BACKUP)
    this.#sql = ctx.storage.sql
    this.#ports = ports ?? {
      now: systemClock,
      randomFraction,
      fetch: (workspace) => workspaceFetch(env, workspace, systemClock),
    }
    this.#secrets = new SigningSecrets(config(env).encryptionKeys, (from, to) => {
      if (this.isConfigured) rows.resealEndpoint(this.#sql, from, to)
    })
    const countWaiting = (): number => rows.countWaitingEvents(this.#sql)
    this.#counts = new CountReports({ env, kind: 'event', source: () => this.#stored(), countWaiting })
  }

  async configure({ secret, ...fields }: EndpointConfig): Promise<Result<EndpointView>> {
    const problem = checkSecret(secret)
    if (problem !== null) return invalidSecret(problem)
    const sealed = await this.#secrets.seal(fields, secret)
    if (!sealed.ok) return sealed
    const unused = { previous: null, failingSince: null, disabled: null }
    const endpoint = { ...fields, ...unused, sealed: sealed.value }
    this.ctx.storage.transactionSync(() => {
      migrate(this.#sql, ENDPOINT_MIGRATIONS)
      rows.writeEndpoint(this.#sql, endpoint)
    })
    this.isConfigured = true
    return this.view(fields.workspace)
  }

  async view(workspace: string): Promise<Result<EndpointView>> {
    const endpoint = this.#endpoint(workspace)
    if (!endpoint) return NO_ENDPOINT
    const { id, url, events, answer, created_at, disabled, failingSince, previous } = endpoint
    return ok({
      id,
      url,
      events,
      answer,
      disabled,
      failing_since: failingSince === null ? null : rfc3339(failingSince),
      previous_secret_until: previous && rfc3339(previous.until),
      secret_readable: (await this.#secrets.open(endpoint, this.#ports.now())).ok,
      created_at,
    })
  }

  async change(workspace: string, change: EndpointChange): Promise<Result<EndpointView>> {
    const endpoint = this.#endpoint(workspace)
    if (!endpoint) return NO_ENDPOINT
    const { url = endpoint.url, events = endpoint.events, answer = endpoint.answer, disabled } = change
    const changed = { ...endpoint, url, events, answer }
    if (url !== endpoint.url) rows.moveEvents(this.#sql, endpoint.url, url)
    if (disabled === true) this.#disable(changed, 'An admin disabled the endpoint.')
    else {
      const enabled = disabled === false ? { disabled: null, failingSince: null } : {}
      rows.writeEndpoint(this.#sql, { ...changed, ...enabled })
    }
    return this.view(workspace)
  }

  async rotate(
    workspace: string,
    given: string | null,
    overlapS: number,
  ): Promise<Result<EndpointView & { readonly secret: string }>> {
    const known = this.#endpoint(workspace)
    if (!known) return NO_ENDPOINT
    const secret = given ?? newSecret()
    const problem = checkSecret(secret)
    if (problem !== null) return invalidSecret(problem)
    const sealed = await this.#secrets.seal(known, secret)
    if (!sealed.ok) return sealed
    // The endpoint may have been changed or removed during that wait.
    const endpoint = this.#endpoint(workspace)
    if (!endpoint) return NO_ENDPOINT
    const previous = { sealed: endpoint.sealed, until: this.#ports.now() + overlapS * 1000 }
    rows.writeEndpoint(this.#sql, { ...endpoint, sealed: sealed.value, previous })
    const rotated = await this.view(workspace)
    return rotated.ok ? ok({ ...rotated.value, secret }) : rotated
  }

  async remove(workspace: string): Promise<Result<null>> {
    if (!this.#endpoint(workspace)) return NO_ENDPOINT
    this.isConfigured = false
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    return ok(null)
  }

  async add(workspace: string, event: OutgoingEvent): Promise<Result<null>> {
    const endpoint = this.#endpoint(workspace)
    if (!endpoint) return NO_ENDPOINT
    const now = this.#ports.now()
    const problem =
      endpoint.disabled ??
      (rows.isFull(this.#sql) ? `${CALLBACKS_WAITING_MAX} events of this endpoint are waiting.` : null)
    rows.insertEvent(this.#sql, event, event.url ?? endpoint.url, problem, now)
    if (problem === null) this.#counts.reportSoon()
    else this.#counts.count('skipped')
    // Set in the same block, so that the event is sent even after a crash.
    await this.#setAlarm()
    return ok(null)
  }

  async forgetThread(workspace: string, threadId: string): Promise<Result<null>> {
    if (this.#endpoint(workspace)) rows.forgetThreadEvents(this.#sql, threadId)
    return ok(null)
  }

  async log(
    workspace: string,
    { state, before, limit }: Parameters<EndpointApi['log']>[1],
  ): Promise<Result<readonly LogEntry[]>> {
    if (!this.#endpoint(workspace)) return NO_ENDPOINT
    // Allows one entry more than a page, so that the caller knows whether there is another page.
    return ok(rows.listLog(this.#sql, state, before, Math.min(limit, PAGE_SIZE_MAX + 1)))
  }

  async replay(workspace: string, entry: number): Promise<Result<LogEntry>> {
    const endpoint = this.#endpoint(workspace)
    if (!endpoint) return NO_ENDPOINT
    if (endpoint.disabled !== null)
      return fail('invalid_request', 'This endpoint is disabled. Enable it first: PATCH {"disabled": false}.')
    const renewed = rows.renewEvent(this.#sql, entry, this.#ports.now())
    const logged = renewed ? rows.logEntry(this.#sql, entry) : null
    if (!logged) return fail('not_found', 'There is no such event in the log of this endpoint.')
    await this.#setAlarm()
    return ok(logged)
  }

  override async alarm(): Promise<void> {
    if (!this.isConfigured) return
    try {
      rows.sweepLog(this.#sql, this.#ports.now())
      await this.#sendDue()
    } catch (error) {
      console.error(JSON.stringify({ at: 'endpoint.alarm', error: logText(error) }))
    } finally {
      // Set here, because the platform's own retries are limited. Never at once, so that an event that cannot be settled
      // does not make it fire continuously.
      await this.#setAlarm(this.#ports.now() + CALLBACK_ALARM_PAUSE_MS)
    }
  }

  async #sendDue(): Promise<void> {
    const startedAt = this.#ports.now()
    for (;;) {
      const endpoint = this.#stored()
      const now = this.#ports.now()
      if (!endpoint || endpoint.disabled !== null || now - startedAt > CALLBACK_PASS_MAX_MS) return
      const due = rows.dueEvents(this.#sql, CALLBACKS_AT_ONCE, now)
      if (due.length === 0) return
      await Promise.all(due.map((event) => this.#send(endpoint, event)))
    }
  }

  async #send(before: rows.StoredEndpoint, event: rows.DueEvent): Promise<void> {
    const startedAt = this.#ports.now()
    const secrets = await this.#secrets.open(before, startedAt)
    // The endpoint may have been changed or removed during that wait.
    const endpoint = this.#stored()
    if (!endpoint || endpoint.disabled !== null) return
    if (!secrets.ok)
      return rows.postponeEvent(
        this.#sql,
        event.entry,
        secrets.error.detail,
        startedAt + UNREADABLE_RECHECK_MS,
      )
    const result = isUnder(event.url, endpoint.url)
      ? await attempt(this.#ports.fetch(endpoint.workspace), event, secrets.value, startedAt)
      : null
    // It may also have been changed or removed during the attempt.
    const current = this.#stored()
    if (!current) return
    const now = this.#ports.now()
    this.ctx.storage.transactionSync(() => {
      if (result === null) {
        const refused = { sent: false, status: null, problem: NOT_UNDER }
        this.#counts.count('failed')
        return rows.settleEvent(this.#sql, event.entry, refused, null, now)
      }
      const pause = callbackPause(event.attempts + 1, this.#ports.randomFraction())
      const isLast = result.status === 410 || pause === null
      rows.settleEvent(this.#sql, event.entry, result, isLast ? null : now + pause, now)
      if (result.sent) this.#counts.count('sent')
      else if (isLast) this.#counts.count('failed')
      else this.#counts.reportSoon()
      this.#recordHealth(current, result, now)
    })
  }

  /** Disables the endpoint if its receiver is gone, or has only failed for too long. */
  #recordHealth(endpoint: rows.StoredEndpoint, { sent, status }: SendResult, now: number): void {
    const failingSince = sent ? null : (endpoint.failingSince ?? now)
    const failing = { ...endpoint, failingSince }
    if (status === 410) this.#disable(failing, 'The receiver answered 410 (gone).')
    else if (failingSince !== null && now - failingSince >= ENDPOINT_FAILING_MAX_MS)
      this.#disable(failing, `Every attempt has failed since ${rfc3339(failingSince)}.`)
    else if (failingSince !== endpoint.failingSince) rows.writeEndpoint(this.#sql, failing)
  }

  #disable(endpoint: rows.StoredEndpoint, why: string): void {
    const disabled = { ...endpoint, disabled: why }
    this.ctx.storage.transactionSync(() => {
      rows.writeEndpoint(this.#sql, disabled)
      this.#counts.count('failed', rows.countWaitingEvents(this.#sql))
      rows.failWaiting(this.#sql, `The endpoint was disabled. ${why}`)
    })
    console.warn(JSON.stringify({ event: 'endpoint.disabled', endpoint: endpoint.id, reason: why }))
  }

  async #setAlarm(earliest = 0): Promise<void> {
    const wakeAt = this.#stored() && rows.nextCallbackWake(this.#sql, this.#ports.now())
    if (wakeAt !== null) await this.ctx.storage.setAlarm(Math.max(wakeAt, earliest))
  }

  // There are no tables before configure(), so requests for unknown endpoints store nothing.
  #stored(): rows.StoredEndpoint | null {
    return this.isConfigured ? rows.readEndpoint(this.#sql) : null
  }

  #endpoint(workspace: string): rows.StoredEndpoint | null {
    const endpoint = this.#stored()
    return endpoint?.workspace === workspace ? endpoint : null
  }
}

const NO_ENDPOINT = fail('not_found', 'There is no such endpoint.')

function invalidSecret(message: string): ReturnType<typeof fail> {
  return fail('invalid_request', 'The secret is not valid.', { errors: [{ path: 'secret', message }] })
}
