// Compares the rows of runs with receipts, and the sums of usage with the rows.

import { setTimeout as sleep } from 'node:timers/promises'

import { readAllPages, readPage } from '../../../src/client/pages.ts'
import { microUsd } from '../../../src/lib/money.ts'
import type { Checks } from './check-list.ts'

import type { Receipt } from '../../../src/agent/events.ts'
import type { RunInfo, UsageReport } from '../../../src/workspace/run-api.ts'
import type { Satchel } from '../rig/satchel.ts'

const POLL_MS = 500
/**
 * Maximum time in ms until a run is reported. The alarm of a thread repeats a report within half a minute, and again
 * if that attempt was killed, too.
 */
const REPORTED_MS = 120_000

export interface EndedRuns {
  readonly receipts: readonly Receipt[]
  readonly deletedThreads: ReadonlySet<string>
  /** Runs that were deleted with their threads before their receipt was read. */
  readonly deletedRuns: readonly string[]
}

async function readRows({ client }: Satchel): Promise<readonly RunInfo[]> {
  const pages = await readAllPages((cursor) =>
    readPage<RunInfo>(client, '/admin/runs', {}, { cursor, limit: 100 }),
  )
  if (!pages.ok) throw new Error(`GET /admin/runs: ${JSON.stringify(pages.error)}`)
  return pages.value
}

async function readUsage({ client }: Satchel, by: string): Promise<UsageReport> {
  const answer = await client.json<UsageReport>('GET', `/admin/usage${by}`)
  if (!answer.ok) throw new Error(`GET /admin/usage${by}: ${JSON.stringify(answer.error)}`)
  return answer.value.body
}

/** The fields that a row and a receipt have in common. Amounts are in micro-dollars. */
function commonOf(run: Receipt | RunInfo): string {
  const { status, stop_reason, model, accepted_at, started_at, ended_at, steps, recoveries, charged } = run
  const { usage, interrupted_waits } = run
  return JSON.stringify({
    status,
    stop_reason,
    model,
    accepted_at,
    started_at,
    ended_at,
    steps,
    recoveries,
    interrupted_waits,
    usage: { ...usage, cost_usd: usage.cost_usd === null ? null : microUsd(usage.cost_usd) },
    charged: { ...charged, usd: microUsd(charged.usd) },
  })
}

function skillsOf({ skills }: Receipt | RunInfo): string {
  return JSON.stringify(skills.map(({ name, digest }) => `${name} ${digest}`).toSorted())
}

function checkRow(row: RunInfo, receipt: Receipt, isDeleted: boolean, checks: Checks): void {
  const { run_id, thread_id } = receipt
  const [actual, expected] = [commonOf(row), commonOf(receipt)]
  checks.note(
    'each row equals the receipt',
    run_id,
    actual === expected ? null : `${actual} is not ${expected}`,
  )
  if (isDeleted) {
    const isBare = row.thread_id === null && row.user === null && row.skills.length === 0
    checks.note(
      'rows of deleted threads name no thread, user or skill',
      run_id,
      isBare ? null : JSON.stringify(row),
    )
    return
  }
  const isSame = row.thread_id === thread_id && skillsOf(row) === skillsOf(receipt)
  checks.note('other rows name thread and skills', run_id, isSame ? null : JSON.stringify(row))
}

/** Waits until all runs are reported, then compares. */
export async function checkRows(server: Satchel, runs: EndedRuns, checks: Checks): Promise<void> {
  const { receipts, deletedThreads, deletedRuns } = runs
  const ids = [...receipts.map(({ run_id }) => run_id), ...deletedRuns].toSorted()
  let rows = await readRows(server)
  for (const until = performance.now() + REPORTED_MS; performance.now() < until; await sleep(POLL_MS)) {
    if (rows.length >= ids.length) break
    rows = await readRows(server)
  }
  const byId = Map.groupBy(rows, ({ run_id }) => run_id)
  for (const id of ids) {
    const count = byId.get(id)?.length ?? 0
    checks.note('each run has one row', id, count === 1 ? null : `${count} rows`)
  }
  const known = new Set(ids)
  for (const id of byId.keys())
    checks.note('each row is of a run that was made', id, known.has(id) ? null : 'unknown')
  for (const receipt of receipts) {
    const [row] = byId.get(receipt.run_id) ?? []
    if (row) checkRow(row, receipt, deletedThreads.has(receipt.thread_id), checks)
  }
  const micros = rows.reduce((sum, { charged }) => sum + microUsd(charged.usd), 0)
  const tokens = rows.reduce((sum, { charged }) => sum + charged.tokens, 0)
  const expected = JSON.stringify([rows.length, micros, tokens])
  for (const by of ['', '?by=day', '?by=model']) {
    const { data, ...totals } = await readUsage(server, by)
    for (const [what, sums] of [
      ['total', [totals]],
      ['rows', data],
    ] as const) {
      if (what === 'rows' && by === '') continue
      const actual = JSON.stringify([
        sums.reduce((sum, one) => sum + one.runs, 0),
        sums.reduce((sum, { charged }) => sum + microUsd(charged.usd), 0),
        sums.reduce((sum, { charged }) => sum + charged.tokens, 0),
      ])
      checks.note(
        'sums equal the rows',
        `usage${by}, ${what}`,
        actual === expected ? null : `${actual} is not ${expected}`,
      )
    }
  }
}
