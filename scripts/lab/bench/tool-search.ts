// Benchmark of searching deferred tools: whether a search finds the tool that a query means, and how long it takes.
// Runs in Node, which has the same engine as workerd. Four authors who had seen neither the ranking nor the code
// wrote the queries; the first of them also wrote the 500 tools. The ranking was tuned with the first two lists and
// the share of the third. The fourth was written afterwards; it and the third are for 200 random tools.

import { readFileSync } from 'node:fs'

import { FURTHER_TOOLS_MAX, TOOLS_FOUND_MAX } from '../../../src/tools/deferred/limits.ts'
import { searchTools } from '../../../src/tools/deferred/search.ts'
import { ok } from '../../../src/lib/result.ts'
import type { SearchedTool } from '../../../src/tools/record/offered.ts'
import { line, ms, plain, type PartResult } from '../rig/lines.ts'
import { figures } from '../rig/stats.ts'

const FOUND_SHARE_GOAL = 0.95
const WARM_P95_GOAL_MS = 10
const COLD_ROUNDS = 5
const LISTS = ['first', 'second', 'third', 'fourth'] as const

function dataOf(file: string): readonly string[] {
  return readFileSync(new URL(`./tool-queries/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
}

interface DescribedTool {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

function searched(text: string): SearchedTool {
  // The cast is safe: the file is ours.
  const { server, name: tool, description, inputSchema } = JSON.parse(text) as DescribedTool
  const name = `mcp_${server}_${tool}`
  const spec = { name, description, input_schema: { ...inputSchema, type: 'object' } } as const
  const row = { name, spec, source: 'mcp', effect: 'read', approval: { ask: 'never' }, digest: name } as const
  const origin = { server, tool }
  return { row, group: null, origin, label: null, includedIf: () => true, text: spec }
}

function find(tools: readonly SearchedTool[], query: string): ReturnType<typeof searchTools> {
  return searchTools({ tools, permits: () => true, define: async () => ok([]) }, query)
}

/** The rank of the tool in the search results; Infinity if it was not found. */
function rankOf(tools: readonly SearchedTool[], query: string, server: string, name: string): number {
  const { tools: shown, others } = find(tools, query)
  const rank = [...shown, ...others].findIndex(
    ({ origin }) => origin?.server === server && origin.tool === name,
  )
  return rank === -1 ? Infinity : rank
}

function searchMs(tools: readonly SearchedTool[], query: string): number {
  const startedMs = performance.now()
  find(tools, query)
  return performance.now() - startedMs
}

export async function measureToolSearch(): Promise<PartResult> {
  const tools = dataOf('tools.ndjson').map(searched)
  const queries = LISTS.map((list) => dataOf(`${list}.tsv`).map((row) => row.split('\t')))
  // A new list acts as a new catalog, so nothing is cached.
  const cold = figures(Array.from({ length: COLD_ROUNDS }, () => searchMs([...tools], 'find a customer')))
  const warm = figures(queries.flat().map(([query = '']) => searchMs(tools, query)))
  const found = queries.map((rows) => {
    const ranks = rows.map(([query = '', server = '', name = '']) => rankOf(tools, query, server, name))
    const share = (first: number): number => ranks.filter((rank) => rank < first).length / ranks.length
    return { shown: share(TOOLS_FOUND_MAX), named: share(TOOLS_FOUND_MAX + FURTHER_TOOLS_MAX) }
  })
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
  return {
    figures: { cold, warm, found },
    lines: [
      ...found.map(({ shown, named }, nth) =>
        line(
          `tool meant by a query, among 500: ${LISTS[nth]} ${queries[nth]?.length} queries`,
          `${percent(shown)} shown, ${percent(named)} shown or named`,
          `≥ ${FOUND_SHARE_GOAL * 100} % shown`,
          shown >= FOUND_SHARE_GOAL,
        ),
      ),
      line(
        'search of 500 tools, warm',
        `${ms(warm.median)} · p95 ${ms(warm.p95)} (${warm.rounds} queries)`,
        `p95 ≤ ${WARM_P95_GOAL_MS} ms`,
        warm.p95 <= WARM_P95_GOAL_MS,
      ),
      plain('search of 500 tools, first query', ms(cold.median)),
    ],
  }
}
