// Kills workerd with kill -9 at random moments between a call's approval request and its result. A call that must be
// made once is never made twice, however often and by whom it is answered, and an unknown outcome is reported.

import { setTimeout as sleep } from 'node:timers/promises'

import { UNKNOWN_OUTCOME } from '../../../src/agent/repair.ts'
import { paint, formatDuration } from '../../lib/terminal.ts'
import { ORDER_TOOL, ORDER_ID, orderMessage } from './approval-story.ts'
import { seededChance } from '../rig/random.ts'
import { withServers } from '../rig/worker.ts'
import { Checks, printVerdicts } from './check-list.ts'
import { withFaultyServer, type KillPlan } from './field.ts'
import { requestUntilAnswered, type Answered } from './insist.ts'
import { startTarget, type Target } from './target.ts'
import { killServer } from './fault-targets.ts'

import type { Satchel } from '../rig/satchel.ts'

const ONCE_INVARIANT = 'a call that must happen once happens at most once'
const RESULT_INVARIANT = 'a result reports "done" or "unknown", and "done" is true'
const END_INVARIANT = 'each run completes with exactly one recorded decision'
/** The latest time of a kill in ms, counted from the first message or from the first answer. */
const KILL_AFTER_MESSAGE_MAX_MS = 900
const KILL_AFTER_ANSWER_MAX_MS = 180
/** Maximum duration of an order in ms. */
const ORDER_MAX_MS = 120
const POLL_MS = 20
const ROUND_MS = 120_000

interface Order {
  readonly key: string
  readonly line: string
  readonly thread: string
}

async function startOrder(url: string, key: string): Promise<Order> {
  const started = await requestUntilAnswered(url, 'POST /v1/chat', {
    body: { message: orderMessage(key) },
    headers: { 'Idempotency-Key': key, Prefer: 'respond-async' },
  })
  const { thread_id, run_id } = started.body
  if (typeof thread_id !== 'string' || typeof run_id !== 'string')
    throw new Error(`${key} was not started: ${JSON.stringify(started)}`)
  return { key, thread: thread_id, line: `/v1/threads/${thread_id}/runs/${run_id}` }
}

/** Approves each request twice until the run has ended. Calls `onAnswer` before the first approval. */
async function approveUntilEnd(url: string, { line }: Order, onAnswer: () => void): Promise<Answered> {
  for (const until = performance.now() + ROUND_MS; performance.now() < until; await sleep(POLL_MS)) {
    const run = await requestUntilAnswered(url, `GET ${line}`)
    if (run.body['ended_at'] !== null && run.body['ended_at'] !== undefined) return run
    if (run.body['status'] !== 'waiting') continue
    const digest = await digestOf(url, line)
    if (digest === null) continue
    onAnswer()
    const yes = (): Promise<unknown> =>
      requestUntilAnswered(url, `POST ${line}/approvals/${ORDER_ID}`, {
        body: { decision: 'approve', digest },
      })
    await Promise.all([yes(), yes()])
  }
  throw new Error(`${line} did not end in ${ROUND_MS / 1_000} s`)
}

/** The digest of the waiting request; null if it is not listed yet. */
async function digestOf(url: string, line: string): Promise<string | null> {
  const { body } = await requestUntilAnswered(url, 'GET /v1/approvals?limit=100')
  const listed = Array.isArray(body['data']) ? body['data'] : []
  const pending: unknown = listed.find(({ run_id }) => line.endsWith(`/${run_id}`))
  const digest: unknown = typeof pending === 'object' && pending !== null && Reflect.get(pending, 'digest')
  return typeof digest === 'string' ? digest : null
}

async function resultOf(url: string, { thread }: Order): Promise<string> {
  const { text } = await requestUntilAnswered(url, `GET /v1/threads/${thread}/messages?limit=100`)
  if (text.includes(JSON.stringify(UNKNOWN_OUTCOME).slice(1, -1))) return 'unknown'
  return text.includes('HTTP 200') ? 'done' : `neither: ${text.slice(-600)}`
}

function check(checks: Checks, { key }: Order, run: Answered, outcome: string, { orders }: Target): void {
  const count = orders.get(key) ?? 0
  checks.note(ONCE_INVARIANT, key, count <= 1 ? null : `${count} times`)
  const isConsistent = outcome === 'unknown' || (outcome === 'done' && count === 1)
  checks.note(RESULT_INVARIANT, key, isConsistent ? null : `${count} times, and the result is ${outcome}`)
  const { status, approvals } = run.body
  const yes = Array.isArray(approvals) && approvals.length === 1
  checks.note(
    END_INVARIANT,
    key,
    status === 'completed' && yes ? null : JSON.stringify(run.body).slice(0, 600),
  )
}

async function upsertTool(url: string, host: string): Promise<void> {
  const input_schema = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] }
  const request = { method: 'POST', url: `http://${host}/orders`, body: { key: '{{input.key}}' } }
  const created = await requestUntilAnswered(url, `PUT /admin/tools/${ORDER_TOOL}`, {
    body: { description: 'Orders.', input_schema, request },
  })
  if (created.status !== 201) throw new Error(`the tool was not taken: ${JSON.stringify(created.body)}`)
}

/** Kills the server once during several orders. Returns their outcomes. */
async function round(
  server: Satchel,
  target: Target,
  checks: Checks,
  keys: readonly string[],
  when: { readonly answered: boolean; readonly afterMs: number },
): Promise<readonly string[]> {
  let answered = (): void => undefined
  const onAnswer = new Promise<void>((resolve) => (answered = resolve))
  const orders = keys.map(async (key) => {
    const order = await startOrder(server.url, key)
    const run = await approveUntilEnd(server.url, order, answered)
    return { order, run }
  })
  if (when.answered) await Promise.race([onAnswer, Promise.all(orders)])
  await sleep(when.afterMs)
  while (!(await killServer(server, 'workerd'))) await server.ready()
  const ended = await Promise.all(orders)
  return Promise.all(
    ended.map(async ({ order, run }) => {
      const outcome = await resultOf(server.url, order)
      check(checks, order, run, outcome, target)
      return outcome
    }),
  )
}

/** Returns the number of violations. */
export async function soakApprovals({ kills, threads, seed }: KillPlan): Promise<number> {
  console.log(`\n${kills} kills around calls that a person allows, ${threads} at once, seed ${seed}.`)
  const random = seededChance(seed)
  return withServers(async (keep) => {
    const target = await keep(startTarget(() => random.between(0, ORDER_MAX_MS)))
    return withFaultyServer(seed, [target.host], async (server) => {
      const checks = new Checks()
      const outcomes: string[] = []
      await upsertTool(server.url, target.host)
      for (let kill = 1; kill <= kills; kill++) {
        const keys = Array.from({ length: threads }, (_, at) => `o${seed % 100_000}-${kill}-${at}`)
        // More than half of the kills follow an answer, because most faults are found there.
        const answered = random.yes(0.6)
        const afterMs = random.between(0, answered ? KILL_AFTER_ANSWER_MAX_MS : KILL_AFTER_MESSAGE_MAX_MS)
        const startedMs = performance.now()
        const results = await round(server, target, checks, keys, { answered, afterMs })
        outcomes.push(...results)
        const where = `${afterMs} ms after ${answered ? 'an answer' : 'the message'}`
        const summary = `kill ${kill} of ${kills}: ${where}; ${results.map((one) => one.slice(0, 10)).join(', ')}`
        console.log(
          paint('dim', `  ${summary}; all ended after ${formatDuration(performance.now() - startedMs)}`),
        )
      }
      const countOutcomes = (what: string): number => outcomes.filter((one) => one === what).length
      console.log(
        `\n${outcomes.length} orders: ${countOutcomes('done')} done, ${countOutcomes('unknown')} of unknown outcome.`,
      )
      return printVerdicts(checks.list(), [], 'No call happened twice.')
    })
  })
}
