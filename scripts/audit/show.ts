// Reads the audit from the server, and formats it as tables. Text from the server is made harmless.

import type { Page } from '../../src/thread/api.ts'
import type { AuditEntry, AuditFilter, FailedSignIns } from '../../src/workspace/audit-api.ts'
import { dimHeadTable } from '../lib/columns.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { responseBody, type ToolPorts } from '../tools/ports.ts'
import { queryOf } from '../lib/query.ts'

export interface AuditFlags {
  readonly limit?: string | undefined
  readonly changes?: boolean
  readonly json: boolean
}

type Filters = { readonly [F in keyof AuditFilter]: AuditFilter[F] | undefined }

/** Prints a page; `linesOf` formats what it has. Returns the exit status. */
async function showPage<T>(
  path: string,
  json: boolean,
  ports: ToolPorts,
  linesOf: (data: readonly T[]) => readonly string[],
): Promise<number> {
  const page = await responseBody<Page<T>>(ports, 'GET', path)
  if (page === null) return 1
  if (json) ports.say(JSON.stringify(page, null, 2))
  else if (page.data.length === 0) ports.say('Nothing was recorded.')
  else for (const line of linesOf(page.data)) ports.say(line)
  if (!json && page.next_cursor !== null) ports.say('There are more. Use --limit, --from and --to.')
  return 0
}

export function showActions(
  filters: Filters,
  { limit = '20', changes = false, json }: AuditFlags,
  ports: ToolPorts,
): Promise<number> {
  const path = `/admin/audit?${queryOf({ ...filters, limit })}`
  return showPage<AuditEntry>(path, json, ports, (data) => actionTable(data, changes))
}

export function showFailedSignIns({ limit = '20', json }: AuditFlags, ports: ToolPorts): Promise<number> {
  return showPage<FailedSignIns>(
    `/admin/audit/sign-ins?limit=${encodeURIComponent(limit)}`,
    json,
    ports,
    (data) =>
      dimHeadTable(
        ['minute (UTC)', 'network', 'key tried last', 'failures'],
        data.map(({ at, network, key, count }) =>
          [minuteOf(at), network, key, count.toLocaleString('en')].map(harmlessLine),
        ),
        new Set([3]),
      ),
  )
}

function actionTable(data: readonly AuditEntry[], changes: boolean): readonly string[] {
  const rows = data.map(({ at, user, key, network, action, target, status }) =>
    [
      minuteOf(at),
      user ?? key,
      action,
      target ?? '',
      status === null ? 'unknown' : String(status),
      network,
    ].map(harmlessLine),
  )
  const [head = '', ...lines] = dimHeadTable(
    ['when (UTC)', 'who', 'action', 'target', 'status', 'network'],
    rows,
  )
  if (!changes) return [head, ...lines]
  return [head, ...lines.flatMap((line, index) => [line, ...changeLines(data[index])])]
}

function changeLines(entry: AuditEntry | undefined): readonly string[] {
  const { before = null, after = null } = entry ?? {}
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => {
    const [was, is] = [before, after].map((fields) => JSON.stringify(fields?.[name] ?? null))
    return paint('dim', harmlessLine(`  ${name}: ${was} → ${is}`))
  })
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}
