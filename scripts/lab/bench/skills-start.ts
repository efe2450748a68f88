// Benchmark of ten thousand skills at the start of a run: two servers, one with only the built-in skills and one with
// ten thousand, are queried alternately. The stores of the second contain only the index, because no run loads a
// skill.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { fromUtf8 } from '../../../src/lib/bytes.ts'
import { blobKey, indexKey } from '../../../src/skills/store/keys.ts'
import { indexObjects } from '../../../src/skills/store/index-objects.ts'
import { manyEntries } from '../../../test/workers/many-skills.ts'
import { openLocal } from '../../push/local-target.ts'
import { ROOT } from '../rig/keys.ts'
import { amount, line, ms, plain, withSign, spread, type FigureLine, type PartResult } from '../rig/lines.ts'
import { oneSkill, adminRequest, say } from '../rig/requests.ts'
import { figures, type Figures } from '../rig/stats.ts'
import { startFakeApi, startWorker, withServers, type WorkerServer } from '../rig/worker.ts'

const SKILL_COUNT = 10_000
const ROUNDS = 100
const WARM_UP = 20
const COLD_ROUNDS = 7
const PAUSE_MS = 12
const QUESTION = 'What is in the satchel?'
const THREAD_MESSAGES = 20
const ADDED_GOAL_MS = 10

interface ServerFigures {
  readonly few: Figures
  readonly many: Figures
}

/** Adds an index with this many skills to the stores. Returns its address. */
async function seedIndex(persist: string): Promise<string> {
  const { address, objects } = await indexObjects({ format: 1, skills: manyEntries(SKILL_COUNT) })
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

/** Sends messages to both servers alternately: the first one of a new thread, and a later one. */
async function measureAlternately(
  few: WorkerServer,
  many: WorkerServer,
): Promise<{ readonly next: ServerFigures; readonly fresh: ServerFigures }> {
  const emptySamples = (): Record<'few' | 'many', number[]> => ({ few: [], many: [] })
  const samples = { next: emptySamples(), fresh: emptySamples() }
  const threads: Record<'few' | 'many', string | null> = { few: null, many: null }
  for (let at = -WARM_UP; at < ROUNDS; at++)
    for (const [subject, { url }] of Object.entries({ few, many }) as ['few' | 'many', WorkerServer][]) {
      await sleep(PAUSE_MS)
      const fresh = await say(url, null, QUESTION)
      if (at % THREAD_MESSAGES === 0) threads[subject] = fresh.threadId
      await sleep(PAUSE_MS)
      const next = await say(url, threads[subject], QUESTION)
      if (at < 0) continue
      samples.fresh[subject].push(fresh.firstTextMs)
      samples.next[subject].push(next.firstTextMs)
    }
  const figuresOf = (of: 'next' | 'fresh'): ServerFigures => ({
    few: figures(samples[of].few),
    many: figures(samples[of].many),
  })
  return { next: figuresOf('next'), fresh: figuresOf('fresh') }
}

export async function measureRunStart(): Promise<PartResult> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const few = await keep(startWorker(api.url))
    let digest = ''
    const seed = async (persist: string): Promise<void> => void (digest = await seedIndex(persist))
    const many = await keep(startWorker(api.url, { seed }))
    await adminRequest(many.url, 'PUT /admin/catalog/build', { digest })
    const { next, fresh } = await measureAlternately(few, many)
    const [colds, publishes]: [number[], number[]] = [[], []]
    for (let at = 0; at < COLD_ROUNDS; at++) {
      const startedMs = performance.now()
      const skill = oneSkill('fresh', `Revision ${at} of the fresh skill.`)
      await (await adminRequest(many.url, 'POST /admin/skills', skill)).arrayBuffer()
      publishes.push(performance.now() - startedMs)
      await sleep(PAUSE_MS)
      colds.push((await say(many.url, null, QUESTION)).firstTextMs)
    }
    const [cold, publish] = [figures(colds), figures(publishes)]
    const skills = `${amount(SKILL_COUNT)} skills`
    return {
      figures: { skills: SKILL_COUNT, next, fresh, cold, publish },
      lines: [
        ...addedLines('first text, next message, warm', skills, next),
        ...addedLines('first text, new thread, warm', skills, fresh),
        plain(`first text, new thread, index of ${skills} not cached`, spread(cold)),
        plain(`publish of one skill into ${amount(SKILL_COUNT)}`, spread(publish)),
      ],
    }
  })
}

function addedLines(what: string, skills: string, { few, many }: ServerFigures): readonly FigureLine[] {
  const addedMs = many.median - few.median
  const against = `${what}: ${skills} compared with built-in ones`
  return [
    line(
      against,
      `${withSign(addedMs, 'ms', 1)} (${ms(few.median)}, ${ms(many.median)})`,
      `≤ + ${ADDED_GOAL_MS} ms`,
      addedMs <= ADDED_GOAL_MS,
    ),
  ]
}
