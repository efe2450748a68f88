// Formats tools and their versions as tables.

import type { ToolDetail, ToolRow } from '../../src/client/tools.ts'
import { dimHeadTable } from '../lib/columns.ts'
import { harmlessLine } from '../lib/terminal.ts'

const HEADINGS = ['name', 'source', 'group', 'effect', 'asks', 'request', ''] as const

export function toolTable(tools: readonly ToolRow[]): readonly string[] {
  return dimHeadTable(HEADINGS, tools.map(tableRow))
}

function tableRow(tool: ToolRow): readonly string[] {
  const { name, source, group, effect, approval, method, url, enabled, problem } = tool
  const request = method === undefined ? '' : `${method} ${url}`
  const state = problem ? problem : enabled === false ? 'off' : ''
  return [name, source, group ?? '', effect, approval.ask, request, state].map(harmlessLine)
}

export function versionLines({ versions }: ToolDetail): readonly string[] {
  return versions.map(({ digest, created_at, author, note, live }) =>
    harmlessLine(
      `${live ? '*' : ' '} ${digest.slice(0, 12)}  ${created_at}  ${author}  ${note ?? ''}`,
    ).replace(/^(?!\*)/, '  '),
  )
}
