// Helpers for the Hook object: signed deliveries, scripted threads, and the object on its real storage.
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import type { Env } from '../../src/env/env.ts'
import { ok } from '../../src/lib/result.ts'
import type { Result } from '../../src/lib/result.ts'
import type { StartedRun, StartInput, ThreadApi } from '../../src/thread/api.ts'
import type { AcceptedDelivery, DeliverySearch, HookApi, HookConfig } from '../../src/webhooks/api.ts'
import { randomToken } from '../../src/lib/ids.ts'
import { Hook } from '../../src/webhooks/hook.ts'
import { RUN_OPTIONS } from '../unit/unattended/run-options.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'

export const bindings: Env = env
export const UNKNOWN = { ok: false, error: { code: 'not_found', detail: 'There is no such hook.' } }
export const BUILD = 'b'.repeat(64)
export function config(change: Partial<HookConfig> = {}): HookConfig {
  return {
    // The object does not check whether its id is signed: the route did.
    id: `hk_default_${randomToken(36)}`,
    workspace: 'default',
    name: 'Test',
    scheme: 'standard',
    signature: null,
    secret: newSecret(),
    template: 'Look: {{payload}}',
    filter: null,
    thread: 'each',
    on_busy: 'enqueue',
    // The tests of the log keep bodies.
    keep_days: 0,
    reply: null,
    ...RUN_OPTIONS,
    created_at: '2026-11-21T00:00:00.000Z',
    ...change,
  }
}

export interface Signed {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export function signed(hook: HookConfig, id: string, body = '{"a":1}', ageS = 0): Signed {
  const seconds = Math.floor(Date.now() / 1000) - ageS
  const signature = new Webhook(hook.secret).sign(id, new Date(seconds * 1000), body)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
  return { headers, body: new TextEncoder().encode(body) }
}

/** A delivery whose body is not text, as a sender in another language may sign it. */
export function signedBytes(hook: HookConfig, id: string, body: Uint8Array): Pick<Signed, 'headers'> {
  const seconds = String(Math.floor(Date.now() / 1000))
  const secret = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', secret).update(`${id}.${seconds}.`).update(body).digest('base64')
  return { headers: { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` } }
}

// Threads that record what they were asked to start, and answer as scripted.
export class Threads {
  readonly requested: { readonly name: string; readonly input: StartInput }[] = []
  answer: (input: StartInput) => Promise<Result<StartedRun>> = async (input) =>
    ok({ thread_id: input.threadId, run_id: input.runId ?? '', created: true, events: null })

  /** Runs that were recorded as failed, and why. */
  readonly failed: { readonly name: string; readonly runId: string | null; readonly why: string }[] = []
  bury: () => Promise<Result<null>> = async () => ok(null)

  getByName(name: string): Pick<ThreadApi, 'start' | 'startFailed'> {
    return {
      start: (_, input) => {
        this.requested.push({ name, input })
        return this.answer(input)
      },
      startFailed: (_, { runId }, why) => {
        this.failed.push({ name, runId, why })
        return this.bury()
      },
    }
  }
}

// Runs the test inside the hook's object, on its real storage, with scripted threads.
export async function inside<T>(
  hook: HookConfig,
  threads: Threads,
  test: (object: Hook, state: DurableObjectState) => Promise<T>,
  more: Partial<Env> = {},
): Promise<T> {
  return runInDurableObject(bindings.HOOKS.getByName(hook.id), (_, state) => {
    // The cast is safe: the object uses only getByName() of the namespace.
    const fake = { ...bindings, THREADS: threads as unknown as DurableObjectNamespace, ...more }
    return test(new Hook(state, fake), state)
  })
}

export function states(state: DurableObjectState): unknown[] {
  const query =
    'SELECT webhook_id, state, tries, body IS NULL AS gone FROM deliveries LEFT JOIN payloads USING (ord) ORDER BY ord'
  return state.storage.sql
    .exec(query)
    .toArray()
    .map((row) => Object.values(row))
}

export function makeDue(state: DurableObjectState): void {
  state.storage.sql.exec("UPDATE deliveries SET next_try_at = 0 WHERE state = 'recorded'")
}

export async function accepted(answer: ReturnType<HookApi['deliver']>): Promise<AcceptedDelivery> {
  const result = await answer
  if (!result.ok) throw new Error(result.error.detail)
  if ('handshake' in result.value) throw new Error('it was taken for a handshake')
  return result.value
}

/** The newest deliveries of a log. */
export function newest(limit: number): DeliverySearch {
  return { limit, before: null, state: null, reply: null, id: null, text: null }
}
