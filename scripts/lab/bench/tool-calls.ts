// Benchmark of calls of deferred tools: a run of five steps, each of which calls an HTTP tool that reads, through
// `call_tool` and directly. Both use one server, in turn. Its catalog has too many tools to list; the key of the
// direct calls may use only the five.

import { createServer } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import type { AddressInfo } from 'node:net'

import { LISTED_TOOLS_MAX } from '../../../src/tools/deferred/limits.ts'
import { plain, spread, times, under, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { adminRequest, askTimed, callMessage, type Timed } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers } from '../rig/worker.ts'

const TARGETS = ['customer', 'invoice', 'order', 'parcel', 'ticket'].map((thing) => `read_${thing}`)
const OTHERS = 'others'
const ROUNDS = 100
const WARM_UP = 10
/** Number of runs per thread, so that histories have a realistic length. */
const THREAD_RUNS = 10
const PAUSE_MS = 12
const RATIO_GOAL = 1.1

type Side = 'direct' | 'through'
const SIDES: readonly Side[] = ['direct', 'through']

interface Records {
  readonly host: string
  /** Number of calls that have arrived. */
  count(): number
  stop(): Promise<void>
}

/** Starts the server that the tools call. */
async function startRecords(): Promise<Records> {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ path: request.url, state: 'open', amount: 12 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    count: () => count,
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function putTools(url: string, host: string): Promise<void> {
  const others = Array.from({ length: LISTED_TOOLS_MAX }, (_, nth) => `other_${nth}`)
  for (const name of [...TARGETS, ...others])
    await adminRequest(url, `PUT /admin/tools/${name}`, {
      name,
      description: `Shows one record of the kind ${name}, with its state and amount.`,
      input_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      request: { method: 'GET', url: `http://${host}/${name}/{{input.id}}` },
      ...(TARGETS.includes(name) ? {} : { group: OTHERS }),
    })
}

async function keyFor(url: string, side: Side): Promise<string> {
  const tools = { deny: side === 'direct' ? [OTHERS] : [] }
  const created = await adminRequest(url, 'POST /admin/keys', { role: 'chat', tools })
  // The cast is safe: Satchel sent this response.
  return ((await created.json()) as { readonly key: string }).key
}

/** A message that makes the model make these calls, one per step. */
function stepsMessage(calls: readonly { readonly name: string; readonly input: object }[]): string {
  return `STEPS ${JSON.stringify(calls)} END`
}

export async function measureToolCalls(tell: ReportProgress): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const { host, ...records } = await keep(startRecords())
    const { url } = await keep(startWorker(api.url, { bindings: { PRIVATE_HOSTS: host } }))
    await putTools(url, host)
    const keys = { direct: await keyFor(url, 'direct'), through: await keyFor(url, 'through') }
    const say = (side: Side, thread: string | null, message: string): Promise<Timed> =>
      askTimed(
        `${url}/v1/chat`,
        { message, stream: true, ...(thread !== null && { thread_id: thread }) },
        keys[side],
      )
    const begin = async (side: Side): Promise<string> => {
      const search = callMessage('tool_search', { query: `select:${TARGETS.join(',')}` })
      return (await say(side, null, side === 'through' ? search : 'What is in the satchel?')).threadId
    }
    let count = 0
    const run = async (side: Side, thread: string): Promise<number> => {
      const calls = TARGETS.map((name) => ({ name, input: { id: `${++count}` } }))
      const through = calls.map((call) => ({ name: 'call_tool', input: call }))
      return (await say(side, thread, stepsMessage(side === 'through' ? through : calls))).totalMs
    }
    const samples: Record<Side, number[]> = { direct: [], through: [] }
    const threads: Record<Side, string> = { direct: '', through: '' }
    tell(`tool-calls: ${ROUNDS} rounds after ${WARM_UP} to warm up`)
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      if (round % THREAD_RUNS === 0) for (const side of SIDES) threads[side] = await begin(side)
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        await sleep(PAUSE_MS)
        const ms = await run(side, threads[side])
        if (round >= 0) samples[side].push(ms)
      }
    }
    // A refused call would take less time, so check the number of calls.
    if (records.count() !== count) throw new Error(`${records.count()} of ${count} calls have arrived.`)
    const [direct, through] = [figures(samples.direct), figures(samples.through)]
    const ratio = through.median / direct.median
    const of = 'run of five steps that call HTTP tools'
    return {
      figures: { direct, through, ratio },
      lines: [
        plain(`${of}: directly`, spread(direct)),
        plain(`${of}: through call_tool`, spread(through)),
        under(`${of}: through call_tool over directly`, times(ratio), ratio, RATIO_GOAL, '×'),
      ],
    }
  })
}
