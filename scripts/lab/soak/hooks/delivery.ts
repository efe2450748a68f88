// Deliveries of the soak: hooks that reply and send callbacks to the receiver, a sender that repeats until it gets a
// 2xx response, and the checks of each delivery at the end.

import { setTimeout as sleep } from 'node:timers/promises'

import { signDelivery } from '../../../../src/webhooks/schemes/sign.ts'
import { requestUntilAnswered, type Answered } from '../insist.ts'

import type { Checks } from '../check-list.ts'
import type { Receiver } from './receiver.ts'

const SECRET = 'a-secret-of-the-soak'
const RETRY_MS = 30
const POLL_MS = 100
/** Timeout in ms. A busy machine may have to restart the server several times meanwhile. */
export const SETTLE_MS = 900_000
const REQUEST_MS = 20_000

const ONE_RUN = 'each accepted delivery has one run, the promised one, which ended'
const ONE_ROW = 'each delivery is in the log once, however often it was sent'
const ONE_REPLY = 'each run replies at most once, and "sent" is true'
const ONE_START = 'each placeholder is posted at most once'
const LOGGED = 'the log of the hook has the state of the reply'
const CALLBACK = 'each run is reported at least once, always under one ID'
const SAME = 'each copy of a delivery gets the same IDs'

export interface SoakHook {
  readonly id: string
  readonly path: string
  readonly hasStart: boolean
}

export interface SentDelivery {
  readonly hook: SoakHook
  readonly name: string
  readonly deliveryId: string
  readonly threadId: string
  readonly runId: string
  /** The response to one more copy, sent after the kill. */
  readonly copy: string
}

async function created(url: string, line: string, body: object): Promise<Answered> {
  const answer = await requestUntilAnswered(url, line, { body })
  if (answer.status !== 201) throw new Error(`${line}: ${answer.status} ${answer.text}`)
  return answer
}

/** Creates a hook whose runs reply with one call, and one that posts a placeholder first. Both have a callback. */
export async function createSoakHooks(url: string, receiver: Receiver): Promise<readonly SoakHook[]> {
  const address = `http://${receiver.host}`
  const text = { type: 'string' }
  await created(url, 'PUT /admin/tools/soak_post', {
    description: 'Posts.',
    input_schema: {
      type: 'object',
      properties: { kind: text, run: text, text },
      required: ['kind', 'run', 'text'],
    },
    request: {
      method: 'POST',
      url: `${address}/post`,
      body: { kind: '{{input.kind}}', run: '{{input.run}}', text: '{{input.text}}' },
    },
    effect: 'once',
  })
  const endpoint = await created(url, 'POST /admin/endpoints', { url: `${address}/callback` })
  receiver.trust(String(endpoint.body['secret']))
  const call = (kind: string, shown: string): object => ({
    tool: 'soak_post',
    input: { kind, run: '{{run.id}}', text: shown },
  })
  const hooks: SoakHook[] = []
  for (const hasStart of [false, true]) {
    const hook = await created(url, 'POST /admin/hooks', {
      name: `Soak ${hasStart ? 'with' : 'without'} a placeholder`,
      scheme: 'github',
      secret: SECRET,
      template: '{{ask}}',
      tools: [],
      reply: { ...call('reply', '{{answer}}'), ...(hasStart && { start: call('start', 'Working on it.') }) },
      callback: { url: `${address}/callback/runs` },
    })
    hooks.push({ id: String(hook.body['id']), path: String(hook.body['url']), hasStart })
  }
  return hooks
}

/** Sends a delivery until it gets a 2xx response, as a sender does, and then one more copy. */
export async function deliver(url: string, hook: SoakHook, name: string): Promise<SentDelivery> {
  const payload = JSON.stringify({ ask: `ROUNDS 0: message ${name}`, name })
  const { headers, body } = await signDelivery(
    { scheme: 'github', signature: null, secret: SECRET },
    payload,
    { id: name, now: 0 },
  )
  const send = async (): Promise<string> => {
    for (const until = performance.now() + SETTLE_MS; performance.now() < until; await sleep(RETRY_MS)) {
      const signal = AbortSignal.timeout(REQUEST_MS)
      const answer = await fetch(url + hook.path, { method: 'POST', headers, body, signal }).catch(() => null)
      const text = await answer?.text().catch(() => null)
      if (answer?.status === 202 && typeof text === 'string') return text
    }
    throw new Error(`Delivery ${name} was not accepted for ${SETTLE_MS / 1_000} s.`)
  }
  const first = await send()
  const copy = await send()
  // The cast is safe: the route returns these fields.
  const ids = JSON.parse(first) as Readonly<Record<'delivery_id' | 'thread_id' | 'run_id', string>>
  return {
    hook,
    name,
    deliveryId: ids.delivery_id,
    threadId: ids.thread_id,
    runId: ids.run_id,
    copy: copy === first ? 'same' : `${first}, then ${copy}`,
  }
}

/** Waits until a delivery is completely processed, then checks it. Returns the state of its reply. */
export async function settle(
  url: string,
  sent: SentDelivery,
  receiver: Receiver,
  checks: Checks,
): Promise<string> {
  const { hook, name, deliveryId, threadId, runId } = sent
  const runPath = `GET /v1/threads/${threadId}/runs`
  const logPath = `GET /admin/hooks/${hook.id}/deliveries`
  let run: Answered['body'] = {}
  let logged: Answered['body'] = {}
  for (const until = performance.now() + SETTLE_MS; performance.now() < until; await sleep(POLL_MS)) {
    run = (await requestUntilAnswered(url, `${runPath}/${runId}`)).body
    logged = (await requestUntilAnswered(url, `${logPath}/${deliveryId}`)).body
    const isEnded = typeof run['ended_at'] === 'string' && logged['state'] === 'started'
    if (isEnded && stateOf(logged) !== 'none' && receiver.events(runId).length > 0) break
  }
  const state = stateOf(run)
  const runs = pageData((await requestUntilAnswered(url, runPath)).body)
  const isOneRun =
    runs.length === 1 && /^(completed|failed)$/.test(String(run['status'])) && logged['run_id'] === runId
  checks.note(ONE_RUN, name, isOneRun ? null : `${runs.length} runs; ${JSON.stringify(run).slice(0, 400)}`)
  const rows = pageData((await requestUntilAnswered(url, `${logPath}?id=${name}`)).body)
  checks.note(ONE_ROW, name, rows.length === 1 ? null : `${rows.length} rows`)
  checks.note(SAME, name, sent.copy === 'same' ? null : sent.copy)
  const replies = receiver.calls('reply', runId)
  const isTrue = state === 'sent' ? replies === 1 : /unknown|failed/.test(state) && replies <= 1
  checks.note(ONE_REPLY, name, isTrue ? null : `${replies} replies, and the receipt says ${state}`)
  const starts = receiver.calls('start', runId)
  checks.note(ONE_START, name, starts <= (hook.hasStart ? 1 : 0) ? null : `${starts} times`)
  checks.note(LOGGED, name, stateOf(logged) === state ? null : `${stateOf(logged)}, not ${state}`)
  const ids = new Set(receiver.events(runId))
  checks.note(CALLBACK, name, ids.size === 1 ? null : `${ids.size} IDs`)
  return state
}

/** The state of the reply of a run, or of a delivery. */
function stateOf({ reply }: Answered['body']): string {
  const state: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'state') : null
  return typeof state === 'string' ? state : 'none'
}

/** The items of a page. */
export function pageData({ data }: Answered['body']): readonly unknown[] {
  return Array.isArray(data) ? data : []
}
