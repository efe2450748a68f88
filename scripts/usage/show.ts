// Reads usage and runs from the server, and formats them as tables. Text from the server is made harmless.

import { DAY_MS, rfc3339 } from '../../src/lib/clock.ts'
import type { Page } from '../../src/thread/api.ts'
import type { RunInfo, UsageReport, UsageSums } from '../../src/workspace/run-api.ts'
import { formatColumns, dimHeadTable } from '../lib/columns.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { responseBody, type ToolPorts } from '../tools/ports.ts'
import { queryOf } from '../lib/query.ts'

export interface UsageFlags {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: string | undefined
  readonly json: boolean
}

/** Without --from, the report has this many days up to --to or today, which it includes. */
const DAYS_DEFAULT = 30

/** Returns the exit status. `now` decides which days are the last ones. The server checks the days. */
export async function showUsage(
  by: string,
  { from, to, json }: UsageFlags,
  now: number,
  ports: ToolPorts,
): Promise<number> {
  const end = to === undefined ? now : Date.parse(to)
  const first = Number.isNaN(end) ? undefined : rfc3339(end - (DAYS_DEFAULT - 1) * DAY_MS).slice(0, 10)
  const query = queryOf({ by, from: from ?? first, to })
  const report = await responseBody<UsageReport>(ports, 'GET', `/admin/usage?${query}`)
  if (report === null) return 1
  if (json) ports.say(JSON.stringify(report, null, 2))
  else for (const line of usageTable(report)) ports.say(line)
  return 0
}

function usageTable(report: UsageReport): readonly string[] {
  const { data, from, to, by, more } = report
  const names = (by ?? '').split(',')
  const rows = data.map(({ day, value, ...sums }) => [
    ...[day, value].filter((cell) => cell !== null).map(harmlessLine),
    ...sumCells(sums),
  ])
  const total = [...names.map((_, index) => (index === 0 ? 'total' : '')), ...sumCells(report)]
  const head = [...names, 'runs', 'failed', 'tokens', 'dollars']
  const numbers = new Set([0, 1, 2, 3].map((index) => names.length + index))
  const [first = '', ...lines] = formatColumns([head, ...rows, total], numbers)
  return [
    `${from ?? 'the first day'} to ${to ?? 'today'} (UTC)`,
    paint('dim', first),
    ...lines.slice(0, -1),
    paint('bold', lines.at(-1) ?? ''),
    ...(more ? ['There are more rows. Choose fewer days with --from and --to.'] : []),
    ...(names.includes('skill') ? ['A run with several skills counts in full for each.'] : []),
  ]
}

function sumCells({ runs, failed, charged }: UsageSums): readonly string[] {
  const usd = `${charged.estimated ? 'at most ' : ''}${charged.usd.toFixed(4)}`
  return [runs, failed, charged.tokens].map((count) => count.toLocaleString('en')).concat(usd)
}

/** Returns the exit status. */
export async function showRuns(
  { from, to, limit = '20', json }: UsageFlags,
  ports: ToolPorts,
): Promise<number> {
  const page = await responseBody<Page<RunInfo>>(ports, 'GET', `/admin/runs?${queryOf({ from, to, limit })}`)
  if (page === null) return 1
  if (json) ports.say(JSON.stringify(page, null, 2))
  else if (page.data.length === 0) ports.say('No runs ended in this time.')
  else for (const line of runTable(page.data)) ports.say(line)
  return 0
}

function runTable(runs: readonly RunInfo[]): readonly string[] {
  const rows = runs.map(({ ended_at, user, key, status, stop_reason, model, skills, charged, thread_id }) =>
    [
      ended_at.slice(0, 16).replace('T', ' '),
      user ?? key,
      status === 'completed' ? status : `${status} (${stop_reason ?? ''})`,
      model,
      skills.map(({ name }) => name).join(', '),
      charged.usd.toFixed(4),
      thread_id ?? 'deleted',
    ].map(harmlessLine),
  )
  const head = ['ended (UTC)', 'who', 'status', 'model', 'skills', 'dollars', 'thread']
  return dimHeadTable(head, rows, new Set([5]))
}
