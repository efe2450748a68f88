// Benchmark of a workspace with a million runs and a hundred thousand threads: how long its lists, sums and metrics
// take, and whether a chat's first text is as fast as in an empty workspace, without caps and with them.

import { setTimeout as sleep } from 'node:timers/promises'

import { DAY_MS, rfc3339 } from '../../../src/lib/clock.ts'
import { SCALE_DAYS, type Admit, type Admitted, type Fill } from './fill.ts'
import { amount, line, ms, plain, withSign, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { ADMIN_KEY } from '../rig/keys.ts'
import { adminRequest, say } from '../rig/requests.ts'
import { figures, type Figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers, type WorkerServer } from '../rig/worker.ts'

const ENTRY = 'test/workers/scale-worker.ts'
const RUNS = 1_000_000
const THREADS = 100_000
const PARTS = 20
const ROUNDS = 30
const CHAT_ROUNDS = 30
const WARM_UP = 5
const PAUSE_MS = 12
const GOAL_MS = 100
/** Runs that are open, with leases, while admissions are measured; and how many admissions are one sample. */
const OPEN_RUNS = 1_000
const ADMISSIONS = 20
const CAPS = {
  workspace: { day: { usd: 100_000 }, month: { usd: 1_000_000, tokens: 1_000_000_000_000 } },
  key: { day: { usd: 10_000, runs: 1_000_000 }, month: { usd: 100_000 } },
  user: { day: { usd: 10_000 }, month: { usd: 100_000 } },
}
const ONE_USER = 'list of one user’s threads'
const QUESTION = 'What is in the satchel?'
const SHARE_GOAL = 0.03

const day = (daysAgo: number): string => rfc3339(Date.now() - daysAgo * DAY_MS).slice(0, 10)

/**
 * The requests by the names of their rows. Each list is also read from its middle, and with filters that match few
 * items.
 */
function requestsOf(): Readonly<Record<string, readonly string[]>> {
  const recent = `from=${day(7)}`
  return {
    'list of threads': ['/v1/threads?limit=100', '/v1/threads?branches=folded&limit=100'],
    [ONE_USER]: ['/v1/threads?limit=100', '/v1/threads?branches=folded&limit=100'],
    'list of runs': ['/admin/runs?limit=100', `/admin/runs?to=${day(45)}&limit=100`],
    'list of runs, filtered': [
      '/admin/runs?key=key7&limit=100',
      '/admin/runs?status=failed&model=claude-2&limit=100',
      '/admin/runs?skill=skill-3&limit=100',
      `/admin/runs?hook=hk_3&${recent}&limit=100`,
      '/admin/runs?rating=down&limit=100',
      '/admin/runs?user=rare&limit=100',
      '/admin/runs?thread=th_50&limit=100',
    ],
    [`usage over ${SCALE_DAYS} days`]: [
      'day',
      'key',
      'user',
      'model',
      'skill',
      'hook',
      'day,key',
      'day,user',
    ].map((by) => `/admin/usage?from=${day(SCALE_DAYS - 1)}&to=${day(0)}&by=${by}`),
    metrics: ['/admin/metrics'],
  }
}

async function fill(url: string, tell: ReportProgress): Promise<void> {
  const now = Date.now()
  const part = (all: number, at: number): number => Math.round((all * at) / PARTS)
  for (let at = 0; at < PARTS; at++) {
    const body: Fill = {
      runs: [part(RUNS, at), part(RUNS, at + 1)],
      threads: [part(THREADS, at), part(THREADS, at + 1)],
      total: { runs: RUNS, threads: THREADS },
      now,
      isLast: at === PARTS - 1,
    }
    await (await adminRequest(url, 'POST /admin/fill', body)).arrayBuffer()
    tell(`workspace-scale: ${amount(part(RUNS, at + 1))} rows`)
  }
}

async function timed(url: string, path: string, key = ADMIN_KEY): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`)
  return performance.now() - startedMs
}

/** Creates a key for a user who owns one in fifty threads. */
async function userKey(url: string): Promise<string> {
  const made = await adminRequest(url, 'POST /admin/keys', { role: 'chat', user: 'user7@example.com' })
  // The cast is safe: Satchel sent this response.
  return ((await made.json()) as { readonly key: string }).key
}

/** Measures each path over ROUNDS requests. */
async function measureReads(url: string): Promise<ReadonlyMap<string, Readonly<Record<string, Figures>>>> {
  const read = new Map<string, Record<string, Figures>>()
  const key = await userKey(url)
  for (const [name, paths] of Object.entries(requestsOf())) {
    const byPath: Record<string, Figures> = {}
    for (const path of paths) {
      const samples: number[] = []
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const took = await timed(url, path, name === ONE_USER ? key : ADMIN_KEY)
        if (round >= 0) samples.push(took)
      }
      byPath[path] = figures(samples)
    }
    read.set(name, byPath)
  }
  return read
}

/** Measures the first text in both workspaces alternately, in new threads and for later messages. */
async function measureChat(
  empty: WorkerServer,
  full: WorkerServer,
): Promise<Record<'empty' | 'full', Figures>> {
  const samples: Record<'empty' | 'full', number[]> = { empty: [], full: [] }
  for (let round = -WARM_UP; round < CHAT_ROUNDS; round++)
    for (const [name, { url }] of Object.entries({ empty, full }) as ['empty' | 'full', WorkerServer][]) {
      await sleep(PAUSE_MS)
      const { threadId, firstTextMs } = await say(url, null, QUESTION)
      await sleep(PAUSE_MS)
      const next = await say(url, threadId, QUESTION)
      if (round >= 0) samples[name].push(firstTextMs, next.firstTextMs)
    }
  return { empty: figures(samples.empty), full: figures(samples.full) }
}

async function admit(url: string, runs: Admit['runs'], stay: boolean): Promise<number> {
  const body: Admit = { runs, stay }
  // The cast is safe: the bench's Worker sent this response.
  return ((await (await adminRequest(url, 'POST /admin/admit', body)).json()) as Admitted).eachMs
}

/** How long the Workspace object takes to admit a run and to remove it, by six caps, while many runs are open. */
async function measureAdmissions(url: string): Promise<Figures> {
  await admit(url, [0, OPEN_RUNS], true)
  const samples: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const eachMs = await admit(url, [OPEN_RUNS, OPEN_RUNS + ADMISSIONS], false)
    if (round >= 0) samples.push(eachMs)
  }
  return figures(samples)
}

export async function measureWorkspaceScale(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const empty = await keep(startWorker(api.url, { entry: ENTRY }))
    const full = await keep(startWorker(api.url, { entry: ENTRY }))
    // Create threads like those that are filled in.
    for (const { url } of [empty, full]) await say(url, null, QUESTION)
    const threads = { max_threads: 2 * THREADS, max_key_threads: 2 * THREADS }
    await adminRequest(full.url, 'PATCH /admin/settings', { threads })
    await fill(full.url, tell)
    const reads = await measureReads(full.url)
    tell('workspace-scale: chat')
    const chat = await measureChat(empty, full)
    await adminRequest(full.url, 'PATCH /admin/limits', CAPS)
    tell('workspace-scale: caps')
    const capped = await measureChat(empty, full)
    const admissions = await measureAdmissions(full.url)
    const share = chat.full.median / chat.empty.median - 1
    const of = `${amount(RUNS)} runs, ${amount(THREADS)} threads`
    const lines = [...reads].map(([name, byPath]) => {
      const [slowest, taken] = Object.entries(byPath).reduce((a, b) => (b[1].p95 > a[1].p95 ? b : a))
      const what = Object.keys(byPath).length === 1 ? name : `${name}, slowest: \`${slowest}\``
      return line(`${what}: ${of}`, `p95 ${ms(taken.p95)}`, `≤ ${GOAL_MS} ms`, taken.p95 <= GOAL_MS)
    })
    const pair = `${ms(chat.empty.median, 2)}, ${ms(chat.full.median, 2)}`
    return {
      figures: { reads: Object.fromEntries(reads), chat, capped, admissions },
      lines: [
        ...lines,
        line(
          `first text, ${of}, compared with an empty workspace`,
          `${withSign(share * 100, '%', 1)} (${pair})`,
          `≤ + ${SHARE_GOAL * 100} %`,
          share <= SHARE_GOAL,
        ),
        plain('the same, p95', `${ms(chat.empty.p95)}, ${ms(chat.full.p95)}`),
        plain(
          'the same with six caps in the full one: medians; p95',
          `${ms(capped.empty.median, 2)}, ${ms(capped.full.median, 2)}; ${ms(capped.empty.p95)}, ${ms(capped.full.p95)}`,
        ),
        plain(
          `admission by six caps, and removal: ${amount(OPEN_RUNS)} open runs`,
          `${ms(admissions.median, 2)} · p95 ${ms(admissions.p95, 2)}`,
        ),
      ],
    }
  })
}
