// Benchmark of webhook deliveries: how many are verified and recorded per second, compared with a bare Worker that
// does the same, and how long each takes at 100 per second while their runs are executed.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { Webhook } from 'standardwebhooks'

import { line, plain, spread, under, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { adminRequest } from '../rig/requests.ts'
import { figures, quantile, type Figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers } from '../rig/worker.ts'

const BARE_SERVER = new URL('./bare-server.ts', import.meta.url)
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const ROUNDS = 5
const PER_ROUND = 400
const AT_ONCE = 16
const SHARE_GOAL = 0.7
const PER_SECOND = 100
const SECONDS = 10
const P99_GOAL_MS = 250
const SETTLED_MS = 120_000

interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let count = 0

function signed(): Delivery {
  const id = `msg_${process.pid}_${++count}`
  const time = new Date()
  const body = JSON.stringify({ id, title: 'Disk full', text: 'The disk of db-1 is full. '.repeat(40) })
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign(id, time, body),
    },
  }
}

/** Sends a delivery. Resolves to the ms until the response was read. Rejects unless the status is 202. */
function post(url: string, agent: Agent, { headers, body }: Delivery): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () =>
        response.statusCode === 202
          ? resolve(performance.now() - startedMs)
          : reject(new Error(`${url}: ${response.statusCode} ${text.slice(0, 500)}`)),
      )
    })
    sent.on('error', (error) => reject(new Error(`${url}: ${error.message}`)))
    sent.end(body)
  })
}

/** Deliveries per second, with AT_ONCE concurrent requests. */
async function rate(url: string): Promise<number> {
  // Use a new agent for each round, because a server may close idle connections.
  const agent = new Agent({ keepAlive: true })
  const deliveries = Array.from({ length: PER_ROUND }, signed)
  const startedMs = performance.now()
  const sendNext = async (): Promise<void> => {
    for (let next = deliveries.pop(); next; next = deliveries.pop()) await post(url, agent, next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  const tookMs = performance.now() - startedMs
  agent.destroy()
  return (PER_ROUND * 1_000) / tookMs
}

/** Sends PER_SECOND deliveries per second, whether or not earlier ones were answered. */
async function steady(url: string): Promise<Figures> {
  const agent = new Agent({ keepAlive: true })
  const deliveries = Array.from({ length: PER_SECOND * SECONDS }, signed)
  const startedMs = performance.now()
  const times = deliveries.map(async (delivery, nth) => {
    await sleep(Math.max(0, startedMs + (nth * 1_000) / PER_SECOND - performance.now()))
    return post(url, agent, delivery)
  })
  const taken = figures(await Promise.all(times))
  agent.destroy()
  return taken
}

/** Creates a hook and returns its path. A filter that excludes every delivery prevents runs. */
async function hookAt(
  url: string,
  withRuns: boolean,
): Promise<{ readonly id: string; readonly url: string }> {
  const filter = withRuns ? null : { all: [{ header: 'x-none', exists: true }] }
  const body = { name: 'Bench', secret: SECRET, template: '{{title}}', tools: [], filter }
  const hook = await adminRequest(url, 'POST /admin/hooks', body)
  // The cast is safe: Satchel sent this response.
  return (await hook.json()) as { readonly id: string; readonly url: string }
}

/** Seconds until no delivery of the hook is waiting. */
async function drain(url: string, hook: string): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < SETTLED_MS) {
    const waiting = await adminRequest(url, `GET /admin/hooks/${hook}/deliveries?state=recorded&limit=1`)
    if (!(await waiting.text()).includes('"dl_')) return (performance.now() - startedMs) / 1_000
    await sleep(100)
  }
  throw new Error('The deliveries did not start.')
}

export async function measureWebhooks(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const bare = await keep(startWorker(api.url, { program: BARE_SERVER }))
    const satchel = await keep(startWorker(api.url))
    const bareUrl = `${bare.url}/hooks/bench`
    const filtered = satchel.url + (await hookAt(satchel.url, false)).url
    const rates: { bare: number; satchel: number }[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const pair = { bare: await rate(bareUrl), satchel: await rate(filtered) }
      if (round >= 0) rates.push(pair)
      tell(`webhooks: ${pair.satchel.toFixed(0)} a second, bare ${pair.bare.toFixed(0)}`)
    }
    tell(`webhooks: ${PER_SECOND} a second`)
    const live = await hookAt(satchel.url, true)
    const taken = await steady(satchel.url + live.url)
    const drainedS = await drain(satchel.url, live.id)
    const median = (values: readonly number[]): number =>
      quantile(
        values.toSorted((a, b) => a - b),
        0.5,
      )
    const [own, other] = [median(rates.map((one) => one.satchel)), median(rates.map((one) => one.bare))]
    const share = median(rates.map((one) => one.satchel / one.bare))
    const at = `delivery, ${PER_SECOND} a second for ${SECONDS} s, with their runs`
    return {
      figures: { rates, share, taken, drainedS },
      lines: [
        plain('deliveries verified and recorded: bare Worker', `${other.toFixed(0)} a second`),
        plain('deliveries verified and recorded: Satchel', `${own.toFixed(0)} a second`),
        line(
          'deliveries verified and recorded: Satchel over bare Worker',
          `${(share * 100).toFixed(0)} %`,
          `≥ ${SHARE_GOAL * 100} %`,
          share >= SHARE_GOAL,
        ),
        under(at, spread(taken), taken.p99, P99_GOAL_MS, 'ms p99'),
        plain(`${at}: last run started after the last response`, `${drainedS.toFixed(1)} s`),
      ],
    }
  })
}
