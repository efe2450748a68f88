// Every publish, rollback and switch is in the very next run: counted, by what the model was sent. The API is in this
// process, because it is asked what it was sent and no time is measured.

import { startMessagesApi, type MessagesApi } from '../../../test/fakes/messages-api.ts'
import { admin, oneSkill } from './admin.ts'
import { ask } from './ask.ts'
import { ADMIN_KEY, startSatchel, type Server } from './servers.ts'

const ROUNDS = 1_000
/** Skills that are changed at the same time, each by its own client. */
const LANES = 4

const CHANGES = ['publish', 'rollback', 'switch'] as const
type Change = (typeof CHANGES)[number]

export interface NextRun {
  readonly change: Change
  readonly rounds: number
  /** Runs whose model was sent what had been answered before them. */
  readonly seen: number
  /** The first one that was not, in words. */
  readonly stale: string | null
}

class Lanes {
  readonly #server: Server
  readonly #sent = new Map<string, string>()
  readonly results: Record<Change, { rounds: number; seen: number; stale: string | null }> = {
    publish: { rounds: 0, seen: 0, stale: null },
    rollback: { rounds: 0, seen: 0, stale: null },
    switch: { rounds: 0, seen: 0, stale: null },
  }

  constructor(server: Server, sent: Map<string, string>) {
    this.#server = server
    this.#sent = sent
  }

  /** A run in a new thread: the revision of the skill that its prompt lists, or null. */
  async #seen(skill: string, mark: string): Promise<number | null> {
    await ask(`${this.#server.url}/v1/chat`, ADMIN_KEY, { message: `Answer ${mark}.`, stream: true })
    const raw = this.#sent.get(mark) ?? ''
    this.#sent.delete(mark)
    const found = new RegExp(`<name>${skill}</name>\\\\n<description>Revision (\\d+) `).exec(raw)
    return found ? Number(found[1]) : null
  }

  async #expect(change: Change, skill: string, round: number, revision: number | null): Promise<void> {
    const seen = await this.#seen(skill, `${skill}-${change}-${round}`)
    const result = this.results[change]
    result.rounds++
    if (seen === revision) result.seen++
    else
      result.stale ??= `${skill}, round ${round}: revision ${String(revision)} was live, ${String(seen)} was shown`
  }

  async run(lane: number, rounds: number): Promise<void> {
    const skill = `lane-${lane}`
    const { url } = this.#server
    const publish = (revision: number): Promise<unknown> =>
      admin(url, 'POST /admin/skills', oneSkill(skill, `Revision ${revision} of ${skill}.`))
    await publish(0)
    // What is live before each round: a rollback goes back to it.
    for (let round = 1; round <= rounds; round++) {
      await publish(round)
      await this.#expect('publish', skill, round, round)
      await admin(url, `POST /admin/skills/${skill}/rollback`, { to: -1 })
      await this.#expect('rollback', skill, round, 0)
      await admin(url, `PATCH /admin/skills/${skill}`, { enabled: false })
      await this.#expect('switch', skill, round, null)
      await admin(url, `PATCH /admin/skills/${skill}`, { enabled: true })
    }
  }
}

async function recordingApi(sent: Map<string, string>): Promise<MessagesApi> {
  return startMessagesApi(
    ({ raw }) => {
      const mark = /Answer ([\w-]+)\./.exec(raw)?.[1]
      if (mark !== undefined) sent.set(mark, raw)
      return { content: [{ type: 'text', text: 'Here.' }] }
    },
    { strict: false },
  )
}

export async function measureNextRuns(): Promise<readonly NextRun[]> {
  const sent = new Map<string, string>()
  const api = await recordingApi(sent)
  try {
    const server = await startSatchel(api.url)
    try {
      const lanes = new Lanes(server, sent)
      await Promise.all(Array.from({ length: LANES }, async (_, lane) => lanes.run(lane, ROUNDS / LANES)))
      return CHANGES.map((change) => ({ change, ...lanes.results[change] }))
    } finally {
      await server.stop()
    }
  } finally {
    await api.close()
  }
}
