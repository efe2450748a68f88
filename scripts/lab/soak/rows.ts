// Hundreds of random runs while the server is killed: chats, forks, cancelled runs, deleted threads and deliveries. At
// the end, each run has exactly one row, which equals its receipt, and the sums equal the rows.

import { setTimeout as sleep } from 'node:timers/promises'

import { signDelivery } from '../../../src/webhooks/schemes/sign.ts'
import { paint } from '../../lib/terminal.ts'
import { seededChance, type Chance } from '../rig/random.ts'
import { Checks, printVerdicts } from './check-list.ts'
import { checkRows, type EndedRuns } from './check-rows.ts'
import { withFaultyServer, type KillPlan } from './field.ts'
import { killServer, type KillWay } from './fault-targets.ts'
import { requestUntilAnswered } from './insist.ts'

import type { Receipt } from '../../../src/agent/events.ts'
import type { Satchel } from '../rig/satchel.ts'

const WAYS: readonly KillWay[] = [
  'workerd',
  'workerd',
  'workerd',
  'server',
  'tree',
  'double',
  'stop',
  'start',
]
const SKILL = 'code-review'
const HOOK_SECRET = 'a-secret-of-the-soak'
const NEW_THREAD_SHARE = 0.4
const SKILL_SHARE = 0.3
const CANCEL_SHARE = 0.15
const DELIVERY_SHARE = 0.2
const FORK_SHARE = 0.3
const DELETE_SHARE = 0.1
/** Maximum age of a run in ms when it is deleted or cancelled. */
const UNDER_WAY_MS = 300
const POLL_MS = 100
/** Timeout in ms. A busy machine may have to restart the server several times meanwhile. */
const END_MS = 300_000

interface Started {
  readonly thread: string
  readonly run: string
}

/** A worker that makes runs in sequence, and stores the receipt of each. */
class RunMaker {
  readonly receipts = new Map<string, Receipt>()
  readonly deletedThreads = new Set<string>()
  /** Runs of deleted threads, whose receipts can no longer be read. */
  readonly deletedRuns = new Set<string>()
  readonly counts = { forks: 0, deliveries: 0, cancelled: 0, deleted: 0 }
  readonly #url: string
  readonly #hook: string
  readonly #name: string
  readonly #random: Chance
  #thread: string | null = null

  constructor(url: string, hook: string, name: string, random: Chance) {
    this.#url = url
    this.#hook = hook
    this.#name = name
    this.#random = random
  }

  async make(runs: number): Promise<void> {
    for (let nth = 1; nth <= runs; nth++) await this.#one(`${this.#name}-${nth}`)
  }

  async #one(name: string): Promise<void> {
    const random = this.#random
    if (random.yes(NEW_THREAD_SHARE)) this.#thread = null
    else if (this.#thread !== null && random.yes(FORK_SHARE))
      this.#thread = await this.#fork(this.#thread, name)
    const isDelivery = random.yes(DELIVERY_SHARE)
    const started = isDelivery ? await this.#deliver(name) : await this.#chat(name)
    if (!isDelivery) this.#thread = started.thread
    // The thread of a delivery may not exist yet.
    if (!isDelivery && random.yes(DELETE_SHARE)) return this.#delete(started)
    if (random.yes(CANCEL_SHARE)) {
      await sleep(random.between(0, UNDER_WAY_MS))
      const run = `/v1/threads/${started.thread}/runs/${started.run}`
      const { status } = await requestUntilAnswered(this.#url, `POST ${run}/cancel`)
      if (status === 200) this.counts.cancelled += 1
    }
    this.receipts.set(started.run, await this.#receipt(started))
  }

  async #chat(name: string): Promise<Started> {
    const skill = this.#random.yes(SKILL_SHARE) ? `/${SKILL} ` : ''
    const { body, status, text } = await requestUntilAnswered(this.#url, 'POST /v1/chat', {
      body: {
        message: `${skill}ROUNDS ${this.#random.between(0, 3)}: message ${name}`,
        on_busy: 'enqueue',
        ...(this.#thread === null ? {} : { thread_id: this.#thread }),
      },
      headers: { 'Idempotency-Key': name, Prefer: 'respond-async' },
    })
    if (status !== 202) throw new Error(`${name}: ${status} ${text}`)
    return { thread: String(body['thread_id']), run: String(body['run_id']) }
  }

  async #deliver(name: string): Promise<Started> {
    const scheme = { scheme: 'github', signature: null, secret: HOOK_SECRET } as const
    const payload = JSON.stringify({ ask: `ROUNDS 1: message ${name}` })
    const { headers, body } = await signDelivery(scheme, payload, { id: name, now: 0 })
    const answer = await requestUntilAnswered(this.#url, `POST ${this.#hook}`, { body, headers })
    if (answer.status !== 202) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    this.counts.deliveries += 1
    return { thread: String(answer.body['thread_id']), run: String(answer.body['run_id']) }
  }

  async #fork(thread: string, name: string): Promise<string> {
    const messages = await requestUntilAnswered(this.#url, `GET /v1/threads/${thread}/messages?limit=1`)
    // The cast is safe: the route returns messages. There are none if the thread's only run was cancelled in the
    // queue.
    const [newest] = messages.body['data'] as readonly { readonly id: string }[]
    if (!newest) return thread
    const { body, status, text } = await requestUntilAnswered(this.#url, `POST /v1/threads/${thread}/fork`, {
      body: { message_id: newest.id },
      headers: { 'Idempotency-Key': `${name}-fork` },
    })
    if (status !== 201 && status !== 200) throw new Error(`${name}: ${status} ${text}`)
    this.counts.forks += 1
    return String(body['thread_id'])
  }

  /** Deletes the thread with its running run. The receipts of its earlier runs are already stored. */
  async #delete({ thread, run }: Started): Promise<void> {
    await sleep(this.#random.between(0, UNDER_WAY_MS))
    await requestUntilAnswered(this.#url, `DELETE /v1/threads/${thread}`)
    this.deletedThreads.add(thread)
    this.deletedRuns.add(run)
    this.counts.deleted += 1
    if (this.#thread === thread) this.#thread = null
  }

  async #receipt({ thread, run }: Started): Promise<Receipt> {
    for (const until = performance.now() + END_MS; performance.now() < until; await sleep(POLL_MS)) {
      const { body } = await requestUntilAnswered(this.#url, `GET /v1/threads/${thread}/runs/${run}`)
      // The cast is safe: the route returns receipts.
      if (typeof body['ended_at'] === 'string') return body as unknown as Receipt
    }
    throw new Error(`${run} did not end within ${END_MS / 1_000} s`)
  }
}

async function createHook(url: string): Promise<string> {
  const { body, status, text } = await requestUntilAnswered(url, 'POST /admin/hooks', {
    body: { name: 'Soak', scheme: 'github', secret: HOOK_SECRET, template: '{{ask}}', tools: [] },
  })
  if (status !== 201) throw new Error(`POST /admin/hooks: ${status} ${text}`)
  return String(body['url'])
}

/** Kills the server `kills` times, at even intervals over the runs. */
async function runKills(
  server: Satchel,
  { kills, seed }: KillPlan,
  ended: () => number,
  runs: number,
): Promise<void> {
  const random = seededChance(seed + 1)
  for (let kill = 0; kill < kills;) {
    while (ended() < (runs * kill) / kills) await sleep(POLL_MS)
    await server.ready()
    await sleep(random.between(0, UNDER_WAY_MS))
    const way = WAYS[random.between(0, WAYS.length - 1)] ?? 'workerd'
    if (!(await killServer(server, way))) continue
    kill += 1
    console.log(paint('dim', `  kill ${kill} of ${kills}: ${way}, after ${ended()} runs`))
    await server.ready()
  }
}

/** Returns the number of violations. */
export async function soakRows(plan: KillPlan & { readonly runs: number }): Promise<number> {
  const { kills, threads, runs, seed } = plan
  console.log(`\n${runs} runs by ${threads} clients, ${kills} kills, seed ${seed}.`)
  return withFaultyServer(seed, [], async (server) => {
    const hook = await createHook(server.url)
    const makers = Array.from(
      { length: threads },
      (_, at) => new RunMaker(server.url, hook, `r${at + 1}`, seededChance(seed + 100 + at)),
    )
    const ended = (): number => makers.reduce((sum, one) => sum + one.receipts.size + one.deletedRuns.size, 0)
    await Promise.all([
      runKills(server, plan, ended, runs),
      ...makers.map(async (maker) => maker.make(Math.ceil(runs / threads))),
    ])
    await server.ready()
    const all: EndedRuns = {
      receipts: makers.flatMap(({ receipts }) => [...receipts.values()]),
      deletedThreads: new Set(makers.flatMap(({ deletedThreads }) => [...deletedThreads])),
      deletedRuns: makers.flatMap(({ deletedRuns }) => [...deletedRuns]),
    }
    const checks = new Checks()
    await checkRows(server, all, checks)
    const total = (name: keyof RunMaker['counts']): number =>
      makers.reduce((sum, { counts }) => sum + counts[name], 0)
    console.log(
      `\n${ended()} runs: ${total('forks')} in new forks, ${total('deliveries')} by deliveries, ${total('cancelled')} cancelled, ${total('deleted')} deleted with their threads.`,
    )
    return printVerdicts(checks.list(), [], 'Rows, receipts and sums agree.')
  })
}
