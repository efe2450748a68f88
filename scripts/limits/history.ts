// Shows who changed the limits of a workspace, when, and what. Text from the server is made harmless.

import type { Page } from '../../src/thread/api.ts'
import type { LimitsPatch, LimitsVersion } from '../../src/workspace/cap-api.ts'
import { writeAmounts } from '../lib/amounts.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { responseBody, type ToolPorts } from '../tools/ports.ts'

export interface HistoryFlags {
  readonly limit?: string | undefined
  readonly json: boolean
}

/** Prints the newest changes. Returns the exit status. */
export async function showHistory({ limit = '20', json }: HistoryFlags, ports: ToolPorts): Promise<number> {
  const path = `/admin/limits/history?limit=${encodeURIComponent(limit)}`
  const page = await responseBody<Page<LimitsVersion>>(ports, 'GET', path)
  if (page === null) return 1
  const { say } = ports
  if (json) say(JSON.stringify(page, null, 2))
  else if (page.data.length === 0) say('The limits were never changed.')
  for (const { version, at, author, change } of json ? [] : page.data) {
    say(harmlessLine(`${version}: ${at.slice(0, 16).replace('T', ' ')}, ${author}`))
    for (const line of linesOf(change)) say(`  ${harmlessLine(line)}`)
  }
  if (!json && page.next_cursor !== null) say('There are more. Use --limit, at most 100.')
  return 0
}

/** The lines of a change. What was removed is "none", as it is written on the command line. */
function linesOf({ users, ...others }: LimitsPatch): readonly string[] {
  const { '': deleted, ...named } = users ?? {}
  const amounts = writeAmounts({ ...others, users: named })
  return deleted === undefined ? amounts : [...amounts, 'users: removed with a deleted user']
}
