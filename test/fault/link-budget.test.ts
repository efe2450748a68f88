// Guards "what the choice of links says stays within 40 bits between two messages of a person", over kills and webhook
// deliveries, for parallel and sequential fetches, with one question for each host; and "no page makes the agent ask a
// private host".

import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../src/agent/tool.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { DENY, settled, waits, YES } from './approving.ts'
import { ANN, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, text, use } from './scripted-model.ts'
import { tool } from './world.ts'

const CONTEXT = { context: { ticket: 'The key of the house.' } }
const HOSTS = ['p', 'q'] as const
const LINKS = HOSTS.flatMap((host) => Array.from({ length: 250 }, (_, at) => `https://${host}.example/${at}`))

/**
 * A message names an address, then the steps, such as `p1 p2|q1`: the links fetched in parallel in each step.
 * `fetched`: the links that were fetched, over all runs.
 */
function reader(
  ports: Partial<ThreadPorts> = {},
  linked: readonly string[] = LINKS,
  searched: readonly string[] = [],
): { readonly thread: TestThread; readonly fetched: string[] } {
  const fetched: string[] = []
  const model = new ScriptedModel((request) => {
    const output = request.messages.findLast(
      ({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result',
    )
    const [, ...plan] = String(output?.content.at(-1)?.['text']).split(' ')
    const step = plan.join(' ').split('|')[answersSince(request)]
    if (!step) return { content: [text('Done.')] }
    const calls = step.split(' ').map((name, n) => {
      const url = `https://${name.startsWith('start') ? 'start' : name.charAt(0)}.example/${name.replace(/^start|^./, '')}`
      return use(`c${request.messages.length}-${n}`, 'web_fetch', { url })
    })
    return { content: calls }
  })
  const fetches = tool(
    'web_fetch',
    'read',
    async (input): Promise<ToolResult> => {
      const { url } = input as { url: string } // the cast is safe: the model above sends this input
      fetched.push(url)
      const links = url === 'https://start.example/' ? linked : []
      return {
        content: 'A page.',
        isError: false,
        untrusted: ['web:start.example'],
        notes: [
          { type: 'links', page: url, links },
          { type: 'links', page: null, links: searched },
        ],
      }
    },
    1_000,
    {
      preview: (input) => {
        const { url } = input as { url: string }
        return { kind: 'fetch', method: 'GET', url, headers: {}, body: null }
      },
    },
  )
  const clock = new HandClock()
  const thread = new TestThread({ ...speaks(model), now: clock.now, tools: () => [fetches], ...ports })
  return { thread, fetched }
}

/** Sends a message that contains a URL and then `links`, and waits until the run ends or waits for a person. */
async function read(thread: TestThread, links: string, more = {}): Promise<string> {
  const { run_id } = await thread.start(`https://start.example/ ${links}`, more)
  return rests(thread, run_id)
}

function rests(thread: TestThread, runId: string): Promise<string> {
  return eventually(
    async () => String(await thread.status(runId)),
    (status) => status !== 'queued' && status !== 'running',
  )
}

interface Requested extends Record<string, SqlStorageValue> {
  id: string
  run: string
  digest: string
  reason: string
}

function requested(thread: TestThread): Promise<readonly Requested[]> {
  return thread.sql((sql) =>
    sql
      .exec<Requested>('SELECT tool_use_id AS id, run_id AS run, digest, reason FROM approvals ORDER BY id')
      .toArray(),
  )
}

/** Answers the newest request, and waits until the run ends or waits again. */
async function decides(
  thread: TestThread,
  decision: 'approve' | 'deny',
  note: string | null = null,
): Promise<string> {
  const newest = (await requested(thread)).at(-1)
  if (!newest) throw new Error('nobody was asked')
  await waits(thread, newest.run)
  value(
    await thread.api.approve(ANN, newest.run, newest.id, {
      ...(decision === 'deny' ? { ...DENY, note } : YES),
      digest: newest.digest,
    }),
  )
  return rests(thread, newest.run)
}

describe('a private host that only the operator names', () => {
  it.each(['p.example:443', 'P.example.:8443'])(
    'needs an approval where a public page links to it (%s)',
    async (position) => {
      const { thread, fetched } = reader({ privateHosts: [position] })
      expect(await read(thread, 'start|p1')).toBe('waiting')
      expect(fetched).toEqual(['https://start.example/'])
      expect((await requested(thread)).map(({ reason }) => reason)).toEqual([
        expect.stringContaining('The address is on the private host p.example'),
      ])
      expect(await decides(thread, 'approve')).toBe('completed')
      expect(fetched).toEqual(['https://start.example/', 'https://p.example/1'])
    },
  )

  it('is refused to a run of a hook, and needs an approval even as one of several hosts', async () => {
    const { thread, fetched } = reader({ privateHosts: ['p.example:443'] })
    expect(await read(thread, 'start|q1 p2|q3')).toBe('waiting')
    expect(fetched).toEqual(['https://start.example/', 'https://q.example/1'])
    expect(await decides(thread, 'deny')).toBe('completed')
    expect(await read(thread, 'p3', { fenced: true })).toBe('completed')
    expect(fetched).not.toContain('https://p.example/3')
  })

  it('is fetched where the person wrote its address, or where one of its own pages links there', async () => {
    const { thread, fetched } = reader({ privateHosts: ['p.example:443'] })
    expect(await read(thread, 'start|p1|| https://p.example/1')).toBe('completed')
    expect(fetched).toHaveLength(2)
    const { thread: own, fetched: pages } = reader({ privateHosts: ['start.example:443'] }, [
      'https://start.example/7',
    ])
    expect(await read(own, 'start|start7')).toBe('completed')
    expect(pages).toEqual(['https://start.example/', 'https://start.example/7'])
  })
})

describe('a run whose model may know private data', () => {
  it('follows four of 500 links, then asks once for each host, even for parallel fetches', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1 p2 p3 p4 p5 p6 q7|p8|q9|q10', CONTEXT)).toBe('waiting')
    expect(fetched).toHaveLength(5)
    expect(
      (await requested(thread)).map(({ reason }) => reason.includes('this run may follow any link on')),
    ).toEqual([true, true])
    expect(await decides(thread, 'deny')).toBe('waiting')
    const [first] = await requested(thread)
    value(
      await thread.api.approve(ANN, first?.run ?? '', first?.id ?? '', {
        ...YES,
        digest: first?.digest ?? '',
      }),
    )
    expect(await rests(thread, first?.run ?? '')).toBe('completed')
    // All links of the allowed host, none of the refused one, and no further questions.
    expect(fetched.slice(5)).toEqual(['https://p.example/5', 'https://p.example/8'])
    expect(await requested(thread)).toHaveLength(2)
  })

  it('keeps count of the links it followed across any kill', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1 p2|p3 p4|p5|q6', CONTEXT)).toBe('waiting')
    await settled(thread)
    await thread.kill()
    expect(await decides(thread, 'deny')).toBe('waiting')
    expect(fetched).toHaveLength(5)
    expect((await requested(thread)).map(({ reason }) => /on (\w)\.example/.exec(reason)?.[1])).toEqual([
      'p',
      'q',
    ])
  })

  it('may follow as many links again after the next message of a person, and no more after a delivery', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1 p2 p3 p4', CONTEXT)).toBe('completed')
    expect(await read(thread, 'p5', { fenced: true })).toBe('completed')
    expect(fetched).toHaveLength(5)
    expect(await read(thread, 'p6 p7')).toBe('completed')
    expect(await read(thread, 'p8 p9 p10', { fenced: true })).toBe('completed')
    expect(fetched.slice(5)).toEqual([6, 7, 8].map((at) => `https://p.example/${at}`))
  })

  it('follows no links without approval where a delivery began the thread', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1', { fenced: true })).toBe('completed')
    expect(fetched).toEqual([])
  })

  it('is recognized after a page of a host that the operator names, whatever its name and port', async () => {
    for (const position of ['start.example:8443', 'START.example.:80']) {
      const { thread, fetched } = reader({ privateHosts: [position] })
      expect(await read(thread, 'start|p1 p2 p3 p4|p5 p6 p7 p8')).toBe('waiting')
      expect(fetched).toHaveLength(5)
    }
  })

  it('is recognized after a search that found a page of a private host', async () => {
    for (const found of ['http://wiki.internal/7', 'https://p.example:8443/7', 'https://public.example/7']) {
      const { thread } = reader({ privateHosts: ['p.example:443'] }, LINKS.slice(250), [found])
      const isPrivate = !found.includes('public')
      expect(await read(thread, 'start|q1 q2 q3 q4|q5 q6 q7 q8'), found).toBe(
        isPrivate ? 'waiting' : 'completed',
      )
    }
  })

  it('is recognized once a person has given the reason of a denial', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1 p2 p3 p4 p5|x1|p6 p7 p8 p9|p10 q1 q2')).toBe('waiting')
    expect(await decides(thread, 'deny', 'Our customers must stay inside.')).toBe('waiting')
    expect(fetched).toHaveLength(10)
  })

  it('is not assumed while a person has sent one short message and all else is public', async () => {
    const { thread, fetched } = reader()
    expect(await read(thread, 'start|p1 p2 p3 p4|p5 p6 p7 p8')).toBe('completed')
    expect(fetched).toHaveLength(9)
    for (const more of [
      'pasted '.repeat(300),
      'kD83hf72Hqpz1',
      'https://start.example/，密钥是kD83hf72Hqpz1',
    ]) {
      const { thread: reported } = reader()
      expect(await read(reported, `start|p1 p2 p3 p4|p5 p6 p7 p8| ${more}`)).toBe('waiting')
    }
  })
})
