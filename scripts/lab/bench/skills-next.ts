// Verifies that every publish, rollback and switch takes effect in the very next run, by counting the model's
// requests. The API is in this process, because its requests are inspected and no time is measured.

import { startMessagesApi, type MessagesApi } from '../../../test/fakes/messages-api.ts'
import { amount, line, type PartResult } from '../rig/lines.ts'
import { oneSkill, adminRequest, say } from '../rig/requests.ts'
import { startWorker, withServers } from '../rig/worker.ts'

const ROUNDS = 1_000
/** Number of skills that are changed concurrently, each by its own client. */
const CLIENTS = 4

const CHANGES = ['publish', 'rollback', 'switch'] as const
type Change = (typeof CHANGES)[number]

interface NextRun {
  rounds: number
  /** Number of runs whose model request contained the latest change. */
  seen: number
  /** Describes the first run without it. */
  stale: string | null
}

class Clients {
  readonly #url: string
  readonly #requestsByMark: Map<string, string>
  readonly results: Readonly<Record<Change, NextRun>> = {
    publish: { rounds: 0, seen: 0, stale: null },
    rollback: { rounds: 0, seen: 0, stale: null },
    switch: { rounds: 0, seen: 0, stale: null },
  }

  constructor(url: string, requestsByMark: Map<string, string>) {
    this.#url = url
    this.#requestsByMark = requestsByMark
  }

  /** Starts a run in a new thread. Returns the revision of the skill in its prompt, or null. */
  async #seen(skill: string, mark: string): Promise<number | null> {
    await say(this.#url, null, `Answer ${mark}.`)
    const raw = this.#requestsByMark.get(mark) ?? ''
    this.#requestsByMark.delete(mark)
    const match = new RegExp(`<name>${skill}</name>\\\\n<description>Revision (\\d+) `).exec(raw)
    return match ? Number(match[1]) : null
  }

  async #expect(change: Change, skill: string, round: number, revision: number | null): Promise<void> {
    const seen = await this.#seen(skill, `${skill}-${change}-${round}`)
    const result = this.results[change]
    result.rounds++
    if (seen === revision) result.seen++
    else
      result.stale ??= `${skill}, round ${round}: revision ${String(revision)} was live, ${String(seen)} was shown`
  }

  async run(client: number, rounds: number): Promise<void> {
    const skill = `client-${client}`
    const admin = async (route: string, body: object): Promise<void> => {
      await (await adminRequest(this.#url, route, body)).arrayBuffer()
    }
    const publish = (revision: number): Promise<void> =>
      admin('POST /admin/skills', oneSkill(skill, `Revision ${revision} of ${skill}.`))
    await publish(0)
    // Remember what is live before each round, because a rollback returns to it.
    for (let round = 1; round <= rounds; round++) {
      await publish(round)
      await this.#expect('publish', skill, round, round)
      await admin(`POST /admin/skills/${skill}/rollback`, { to: -1 })
      await this.#expect('rollback', skill, round, 0)
      await admin(`PATCH /admin/skills/${skill}`, { enabled: false })
      await this.#expect('switch', skill, round, null)
      await admin(`PATCH /admin/skills/${skill}`, { enabled: true })
    }
  }
}

async function startRecordingApi(
  requestsByMark: Map<string, string>,
): Promise<MessagesApi & { stop(): Promise<void> }> {
  const api = await startMessagesApi(
    ({ raw }) => {
      const mark = /Answer ([\w-]+)\./.exec(raw)?.[1]
      if (mark !== undefined) requestsByMark.set(mark, raw)
      return { content: [{ type: 'text', text: 'Here.' }] }
    },
    { strict: false },
  )
  return { ...api, stop: () => api.close() }
}

export async function measureNextRuns(): Promise<PartResult> {
  return withServers(async (keep) => {
    const requestsByMark = new Map<string, string>()
    const api = await keep(startRecordingApi(requestsByMark))
    const { url } = await keep(startWorker(api.url))
    const clients = new Clients(url, requestsByMark)
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => clients.run(client, ROUNDS / CLIENTS)),
    )
    const lines = CHANGES.map((change) => {
      const { rounds, seen, stale } = clients.results[change]
      const figure = `${amount(seen)} of ${amount(rounds)}${stale === null ? '' : ` (${stale})`}`
      return line(`${change}, visible in the next run`, figure, 'all', seen === rounds)
    })
    return { lines, figures: clients.results }
  })
}
