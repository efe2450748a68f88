// What ten thousand skills cost a run's start: two servers, one with our own skills and one with ten thousand, asked in
// turns. The stores of the second are filled with the index alone: no run of this bench loads a skill.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { fromUtf8 } from '../../../src/lib/bytes.ts'
import { blobKey, indexKey } from '../../../src/skills/store/keys.ts'
import { indexObjects } from '../../../src/skills/store/index-objects.ts'
import { manyEntries } from '../../../test/workers/many-skills.ts'
import { openLocal } from '../../push/local-target.ts'
import { admin, oneSkill } from './admin.ts'
import { ask } from './ask.ts'
import { ADMIN_KEY, ROOT, startFakeApi, startSatchel, type Server } from './servers.ts'
import { figures, type Figures } from './stats.ts'

const COUNT = 10_000
const ROUNDS = 100
const WARM_UP = 20
const COLD_ROUNDS = 7
const PAUSE_MS = 12
const THREAD_MESSAGES = 20

export interface StartOfRun {
  readonly skills: number
  readonly next: { readonly few: Figures; readonly many: Figures }
  readonly fresh: { readonly few: Figures; readonly many: Figures }
  /** The first run after a publish: the merged index is new to every isolate. */
  readonly cold: Figures
  /** Publishing one skill into so many. */
  readonly publish: Figures
}

/** Puts an index of so many skills into the stores; answers its address. */
async function seed(persist: string, count: number): Promise<string> {
  const { address, objects } = await indexObjects({ format: 1, skills: manyEntries(count) })
  const stores = await openLocal(join(ROOT, 'wrangler.toml'), persist)
  try {
    await stores.target.putBlobs(
      objects.map(({ sha256, bytes }) => ({ key: blobKey('build', sha256), bytes })),
    )
    const entries = objects.map(({ sha256, bytes }) => ({
      key: indexKey(sha256),
      value: fromUtf8(bytes) ?? '',
    }))
    await stores.target.putKv(entries)
  } finally {
    await stores.close()
  }
  return address
}

async function firstText(server: Server, thread: string | null): Promise<{ ms: number; thread: string }> {
  const body = { message: 'What is in the satchel?', stream: true }
  const { firstTextMs, threadId } = await ask(
    `${server.url}/v1/chat`,
    ADMIN_KEY,
    thread === null ? body : { ...body, thread_id: thread },
  )
  return { ms: firstTextMs, thread: threadId }
}

/** Both servers in turns: the first message of a new thread, and the next one of a thread. */
async function inTurns(few: Server, many: Server): Promise<Pick<StartOfRun, 'next' | 'fresh'>> {
  const samples = { next: { few: [], many: [] }, fresh: { few: [], many: [] } } as Record<
    'next' | 'fresh',
    Record<'few' | 'many', number[]>
  > // what TypeScript takes an empty list for
  const threads: Record<'few' | 'many', string | null> = { few: null, many: null }
  for (let at = -WARM_UP; at < ROUNDS; at++)
    for (const [who, server] of [
      ['few', few],
      ['many', many],
    ] as const) {
      await sleep(PAUSE_MS)
      const fresh = await firstText(server, null)
      if (at % THREAD_MESSAGES === 0) threads[who] = fresh.thread
      await sleep(PAUSE_MS)
      const next = await firstText(server, threads[who])
      if (at < 0) continue
      samples.fresh[who].push(fresh.ms)
      samples.next[who].push(next.ms)
    }
  const both = (of: 'next' | 'fresh') => ({
    few: figures(samples[of].few),
    many: figures(samples[of].many),
  })
  return { next: both('next'), fresh: both('fresh') }
}

export async function measureRunStart(): Promise<StartOfRun> {
  const started: Server[] = []
  const keep = async (starting: Promise<Server>): Promise<Server> => {
    const server = await starting
    started.push(server)
    return server
  }
  try {
    const api = await keep(startFakeApi())
    const few = await keep(startSatchel(api.url))
    let digest = ''
    const filled = startSatchel(api.url, async (persist) => {
      digest = await seed(persist, COUNT)
    })
    const many = await keep(filled)
    await admin(many.url, 'PUT /admin/catalog/build', { digest })
    const warm = await inTurns(few, many)
    const cold: number[] = []
    const publish: number[] = []
    for (let at = 0; at < COLD_ROUNDS; at++) {
      const began = performance.now()
      await admin(many.url, 'POST /admin/skills', oneSkill('fresh', `Revision ${at} of what is fresh.`))
      publish.push(performance.now() - began)
      await sleep(PAUSE_MS)
      cold.push((await firstText(many, null)).ms)
    }
    return { skills: COUNT, ...warm, cold: figures(cold), publish: figures(publish) }
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}
