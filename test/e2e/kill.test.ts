// Promise: killing workerd or the server at any moment loses nothing. Every accepted run ends with one terminal event,
// nothing is repeated, and all readers end with the same transcript.

import { once } from 'node:events'
import { rmSync } from 'node:fs'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { UNKNOWN_OUTCOME } from '../../src/agent/repair.ts'
import { end, isAlive, type ProcessIdentity } from '../../scripts/lib/processes.ts'
import { LiveText } from '../../src/client/transcript.ts'
import { FakeMcpServer, FRESH_STATE } from '../fakes/mcp-server.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { defaultScript } from '../fakes/messages-default.ts'
import type { Script } from '../fakes/messages-wire.ts'
import { livingWorkerd, serverProcess, startSatchel, temporary, until, type Satchel } from './satchel.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'

/** The model answers it with a call of the MCP server. */
const NOTE = 'Add a note.'
const MESSAGE = 'Write an incident report: checkout was down for 12 minutes this morning.'

let model: MessagesApi
let satchel: Satchel
const notes = new FakeMcpServer()
let notesHost = ''
/** How often a reader lost its stream: a kill after the end would prove nothing. */
let cutOff = 0
beforeAll(async () => {
  // Slow enough that a kill comes in the middle: two rounds of tools, then two seconds of text. It answers 400, which
  // fails the run, if a history has an unanswered call.
  model = await startMessagesApi(withNotes(defaultScript({ firstTokenMs: 50, deltaMs: 30, words: 50 })))
  notesHost = await notes.start()
  satchel = await startSatchel({
    args: ['--allow-host', notesHost],
    env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url },
  })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
  await notes.stop()
})

function withNotes(usual: Script): Script {
  return (requested, index) => {
    if (!requested.raw.includes(NOTE) && typeof usual === 'function') return usual(requested, index)
    if (requested.raw.includes('"tool_result"')) return { content: [{ type: 'text', text: 'Done.' }] }
    const input = { text: 'x' }
    return { content: [{ type: 'tool_use', id: 'toolu_note', name: 'mcp_notes_add_note', input }] }
  }
}

/** The final text of the last step, as a reader shows it. */
function transcript(events: readonly Event[]): string {
  const live = new LiveText()
  const blocks = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'step.restarted') {
      live.restart(event.step)
      for (const key of blocks.keys()) if (key.startsWith(`${event.step}/`)) blocks.delete(key)
    }
    if (event.type !== 'text.delta') continue
    const key = `${event.step}/${event.block}`
    const { added, replaced } = live.apply(event)
    blocks.set(key, replaced ? added : (blocks.get(key) ?? '') + added)
  }
  return [...blocks].map(([key, text]) => `${key}: ${text}`).join('\n')
}

/** Chats, kills `faultTarget` once `after` events have come, and then reads the run again from its start. */
async function killedAfter(after: number, faultTarget: () => Promise<ProcessIdentity>): Promise<void> {
  const mine: Event[] = []
  const kills: Promise<boolean>[] = []
  const chat = await satchel.client.chat({ message: MESSAGE }, `kill-${after}-${satchel.output().length}`, {
    onEvent: (event) => {
      mine.push(event)
      if (mine.length === after) kills.push(faultTarget().then((identity) => end(identity)))
    },
    onReconnect: () => (cutOff += 1),
  })
  if (!chat.ok) throw new Error(`${JSON.stringify(chat.error)}\n${satchel.output()}`)
  expect(await Promise.all(kills)).toEqual([true])
  const replayed: Event[] = []
  const { threadId, runId } = chat.value
  const again = await satchel.client.follow(threadId, runId, null, {
    onEvent: (event) => replayed.push(event),
  })
  expect(again.ok && again.value.terminal.type).toBe('run.completed')
  expect(replayed.filter((event) => /^run\.(completed|failed|cancelled)$/.test(event.type))).toHaveLength(1)
  expect(chat.value.terminal.seq).toBe(replayed.at(-1)?.seq)
  expect(transcript(mine)).toBe(transcript(replayed))
}

test.each([1, 3, 6, 12, 20, 30])(
  'workerd is killed after %i events: the run still ends once',
  async (after) => {
    await killedAfter(after, async () => livingWorkerd(satchel))
  },
)

test('at least five kills interrupted a run', () => {
  expect(cutOff).toBeGreaterThanOrEqual(5)
})

async function jsonOf<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await satchel.client.json<T>(method, path, body)
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer.error)}`)
  return answer.value.body
}

const RUNS = 10

test.each([
  ['does not answer', { stalls: 'silent' }],
  ['breaks each connection', { result: null }],
] as const)(
  'workerd is killed after a server acted that %s: each call was made once, with an unknown outcome',
  async (_, state) => {
    notes.state = FRESH_STATE
    await jsonOf('PUT', '/admin/mcp/notes', { url: `http://${notesHost}/mcp` })
    const { digest } = await jsonOf<{ readonly digest: string }>('POST', '/admin/mcp/notes/refresh')
    await jsonOf('POST', '/admin/mcp/notes/approve', { digest })
    notes.state = { ...FRESH_STATE, ...state }
    notes.seen = []
    const started = Array.from({ length: RUNS }, async (__, nth) => {
      const body = { message: `${NOTE} ${nth}`, stream: false }
      return jsonOf<{ readonly url: string; readonly run_id: string }>('POST', '/v1/chat', body)
    })
    const runs = await Promise.all(started)
    const approvals = await until('the requests for approvals', async () => {
      const { data } = await jsonOf<{ data: readonly ApprovalInfo[] }>('GET', '/v1/approvals?limit=100')
      const ours = data.filter(({ run_id }) => runs.some((run) => run.run_id === run_id))
      return ours.length === RUNS && ours
    })
    const yes = approvals.map(async ({ thread_id, run_id, tool_use_id, digest }) => {
      const path = `/v1/threads/${thread_id}/runs/${run_id}/approvals/${tool_use_id}`
      return jsonOf('POST', path, { decision: 'approve', digest })
    })
    await Promise.all(yes)
    const made = (): number => notes.methods.filter((method) => method === 'tools/call').length
    await until('the server has acted', () => made() === RUNS)
    end(await livingWorkerd(satchel))
    await satchel.ready()
    for (const { url } of runs) {
      await until('the run is completed', async () => {
        const run = await jsonOf<{ status: string }>('GET', url).catch(() => null)
        return run?.status === 'completed'
      })
      const thread = url.replace(/\/runs\/.*$/, '')
      expect(JSON.stringify(await jsonOf('GET', `${thread}/messages`))).toContain(UNKNOWN_OUTCOME)
    }
    expect(made()).toBe(RUNS)
  },
)

async function server(of: Satchel): Promise<ProcessIdentity> {
  return until('a server process', () => serverProcess(of.process))
}

test('the server process is killed during a run: the run still ends once', async () => {
  const before = await livingWorkerd(satchel)
  await killedAfter(10, async () => server(satchel))
  await until('the orphaned workerd is ended', () => !isAlive(before))
  await until('it is up again', () => {
    const [, after] = satchel.output().split('The server process ended (SIGKILL)')
    return after?.includes('Up again after')
  })
})

async function healthy(): Promise<boolean> {
  const response = await fetch(`${satchel.url}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  )
  return response?.ok === true
}

test('a workerd that hangs is replaced', async () => {
  await until('up', healthy)
  const workerd = await livingWorkerd(satchel)
  process.kill(workerd.pid, 'SIGSTOP')
  await until('it is up again', healthy)
  expect(isAlive(workerd)).toBe(false)
})

test('a workerd that ended is restarted, and one line reports it', async () => {
  await until('up', healthy)
  const workerd = await livingWorkerd(satchel)
  const from = satchel.output().length
  end(workerd)
  await until('it is up again', healthy)
  for (const text of ['workerd ended (SIGKILL): starting it again.', 'unfinished runs continue.'])
    await until(text, () => satchel.output().slice(from).includes(text))
})

test('a killed supervisor leaves nothing running, and the next start finds every thread', async () => {
  const folder = temporary()
  const servers: Satchel[] = []
  const start = async (port?: number): Promise<Satchel> => {
    const started = await startSatchel({ folder, ...(port === undefined ? {} : { port }) })
    servers.push(started)
    return started
  }
  try {
    const first = await start()
    const reported: Event[] = []
    const chat = await first.client.chat({ message: MESSAGE }, 'before', {
      onEvent: (event) => reported.push(event),
    })
    if (!chat.ok) throw new Error(JSON.stringify(chat.error))
    const workerd = await livingWorkerd(first)
    const gone = once(first.process, 'exit')
    first.process.kill('SIGKILL')
    await gone
    await until('its workerd ends by itself', () => !isAlive(workerd))

    const second = await start(first.port)
    const receipt = await second.client.json<{ status: string }>(
      'GET',
      `/v1/threads/${chat.value.threadId}/runs/${chat.value.runId}`,
    )
    expect(receipt.ok && receipt.value.body.status).toBe('completed')

    // Supervisor and server killed together leave a workerd behind: the next start ends it and takes over.
    const orphan = await livingWorkerd(second)
    const child = await server(second)
    const ended = once(second.process, 'exit')
    // A stopped process cannot notice that the supervisor has ended, and end workerd.
    process.kill(child.pid, 'SIGSTOP')
    second.process.kill('SIGKILL')
    await ended
    end(child)
    expect(isAlive(orphan)).toBe(true)
    const third = await start(first.port)
    expect(isAlive(orphan)).toBe(false)
    expect(third.output()).toContain(`ended workerd (process ${orphan.pid})`)

    const leaving = once(third.process, 'exit')
    const last = await livingWorkerd(third)
    third.process.kill('SIGINT')
    expect(await leaving).toEqual([0, null])
    await until('its workerd is gone', () => !isAlive(last))
  } finally {
    for (const one of servers) await one.stop()
    rmSync(folder, { recursive: true, maxRetries: 5 })
  }
})
