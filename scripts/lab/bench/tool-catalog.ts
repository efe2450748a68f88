// Benchmark of a workspace with the maximum number of tools: the first text of a new thread and of one that was
// evicted, and the first search, in time and in memory, each compared with a workspace without tools. Every round
// starts a new server, so that nothing is cached.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import type { AddressInfo } from 'node:net'

import { TOOLS_BYTES_MAX, TOOLS_ENABLED_MAX } from '../../../src/skills/catalog/limits.ts'
import {
  line,
  ms,
  plain,
  withSign,
  type FigureLine,
  type PartResult,
  type ReportProgress,
} from '../rig/lines.ts'
import { adminRequest, callTool, say, type Timed } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { startFakeApi, withServers } from '../rig/worker.ts'
import { inspectedWorkers, type InspectedWorkers } from './inspected-worker.ts'

const SERVERS = 4
const ROUNDS = 3
const MEGABYTE = 1_000_000
/** Characters of a tool's schema, so that all definitions together have the maximum size. */
const SCHEMA_TEXT_CHARS = Math.floor(TOOLS_BYTES_MAX / TOOLS_ENABLED_MAX) - 500
const ADDED_MEMORY_GOAL_MB = 10

/** Starts an MCP server without sessions, whose definitions take the maximum size for its number of tools. */
async function startTools(): Promise<{ readonly host: string; stop(): Promise<void> }> {
  const sentence = 'Narrows the records that are shown to those of one team, customer or month. '
  const description = sentence.repeat(SCHEMA_TEXT_CHARS / sentence.length + 1).slice(0, SCHEMA_TEXT_CHARS)
  const tools = Array.from({ length: TOOLS_ENABLED_MAX / SERVERS }, (_, nth) => ({
    name: `list_records_${nth}`,
    description: `Lists the records of kind ${nth}.`,
    inputSchema: { type: 'object', properties: { filter: { type: 'string', description } } },
    annotations: { readOnlyHint: true },
  }))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const { id, method } = JSON.parse(body || '{}') as { readonly id?: number; readonly method?: string }
    const info = { serverInfo: { name: 'records', version: '1' }, capabilities: { tools: {} } }
    const result = method === 'tools/list' ? { tools } : { protocolVersion: '2025-11-25', ...info }
    response.writeHead(id === undefined ? 202 : 200, { 'Content-Type': 'application/json' })
    response.end(id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: it listens on a port.
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, stop: async () => void server.close() }
}

async function addServers(url: string, host: string): Promise<void> {
  for (let nth = 0; nth < SERVERS; nth++) {
    await adminRequest(url, `PUT /admin/mcp/s${nth}`, { url: `http://${host}/mcp/${nth}`, trusted: true })
    const offer = await adminRequest(url, `POST /admin/mcp/s${nth}/refresh`)
    // The cast is safe: Satchel sent this response.
    const { digest } = (await offer.json()) as { readonly digest: string }
    await adminRequest(url, `POST /admin/mcp/s${nth}/approve`, { digest })
  }
}

/** Measurements of one kind of server. Each list has a value per round. */
interface Samples {
  readonly newMs: number[]
  readonly wokenMs: number[]
  readonly heldBytes: number[]
}

/** Measures a new thread, and then one that is woken in another server. */
async function measureThreads(workers: InspectedWorkers, samples: Samples): Promise<void> {
  let thread: string | null = null
  for (const into of [samples.newMs, samples.wokenMs])
    await workers.run(async ({ url }, memory) => {
      const answer: Timed = await say(url, thread, 'What is in the satchel?')
      thread = answer.threadId
      into.push(answer.firstTextMs)
      samples.heldBytes.push(await memory.heldBytes())
    })
}

interface SearchSamples {
  readonly firstMs: number[]
  readonly nextMs: number[]
  readonly heldBytes: number[]
}

async function measureSearch(workers: InspectedWorkers, samples: SearchSamples): Promise<void> {
  await workers.run(async ({ url }, memory) => {
    await say(url, null, 'What is in the satchel?')
    const before = await memory.heldBytes()
    for (const into of [samples.firstMs, samples.nextMs]) {
      const [found] = await callTool(url, null, 'tool_search', { query: 'list records of kind 77' })
      if (!found?.preview.includes('Found 5 tools')) throw new Error(`Not found: ${found?.preview}`)
      into.push(found.duration_ms)
    }
    samples.heldBytes.push((await memory.heldBytes()) - before)
  })
}

export async function measureToolCatalog(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const { host } = await keep(startTools())
    const start = (): Promise<InspectedWorkers> => keep(inspectedWorkers(api.url, { PRIVATE_HOSTS: host }))
    const [empty, full] = [await start(), await start()]
    tell(`tool-catalog: ${TOOLS_ENABLED_MAX} tools are stored`)
    await full.run(async ({ url }) => addServers(url, host))
    const samplesOf = (): Samples => ({ newMs: [], wokenMs: [], heldBytes: [] })
    const samples = { empty: samplesOf(), full: samplesOf() }
    const searches: SearchSamples = { firstMs: [], nextMs: [], heldBytes: [] }
    for (let round = 0; round < ROUNDS; round++) {
      tell(`tool-catalog: round ${round + 1} of ${ROUNDS}`)
      await measureThreads(empty, samples.empty)
      await measureThreads(full, samples.full)
      await measureSearch(full, searches)
    }
    return { figures: { samples, searches }, lines: linesOf(samples, searches) }
  })
}

function linesOf(
  { empty, full }: { readonly empty: Samples; readonly full: Samples },
  searches: SearchSamples,
): readonly FigureLine[] {
  const median = (of: readonly number[]): number => figures(of).median
  const what = `${TOOLS_ENABLED_MAX.toLocaleString('en-US')} tools of ${(TOOLS_BYTES_MAX / 1_048_576).toFixed(0)} MiB`
  const beside = (with_: readonly number[], without: readonly number[]): string =>
    `${ms(median(with_))} (without tools: ${ms(median(without))})`
  const addedMb = (median(full.heldBytes) - median(empty.heldBytes)) / MEGABYTE
  return [
    plain(`${what}: first text of a new thread in a new isolate`, beside(full.newMs, empty.newMs)),
    plain(`${what}: first text of a thread that wakes in one`, beside(full.wokenMs, empty.wokenMs)),
    line(
      `${what}: memory that an isolate keeps, before a search`,
      withSign(addedMb, 'MB', 1),
      `≤ + ${ADDED_MEMORY_GOAL_MB} MB`,
      addedMb <= ADDED_MEMORY_GOAL_MB,
    ),
    plain(`${what}: memory that a search adds`, withSign(median(searches.heldBytes) / MEGABYTE, 'MB', 1)),
    plain(`${what}: first search in an isolate`, ms(median(searches.firstMs))),
    plain(`${what}: next search`, ms(median(searches.nextMs))),
  ]
}
