// Helpers of the tests of waits for servers: a server that answers 202 and works on, its HTTP tool `report`, and a thread whose
// model calls it. The server survives every crash.

import type { Effect } from '../../src/agent/tool.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import { err, ok } from '../../src/lib/result.ts'
import type { FetchFailure, GuardedFetch, Outgoing } from '../../src/net/fetch.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { parseDefinition } from '../../src/tools/http/definition.ts'
import { httpTool } from '../../src/tools/http/tool.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import { DONE } from './approving.ts'
import { HandClock, speaks, TestThread } from './rig.ts'
import { ScriptedModel, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The server's answers to questions about a job. */
export const WORKING: Answer = { status: 202 }
export const READY: Answer = { status: 200, body: 'ready' }
export const GONE: Answer = { status: 404, body: 'no such job' }
export const UNREACHABLE = 'unreachable'

export class JobServer {
  /** Jobs that were begun, by the path of each. */
  readonly begun: string[] = []
  /** Questions about jobs. */
  readonly questions: Outgoing[] = []
  /** The answers to the next questions; the last one is repeated. */
  answers: readonly (Answer | typeof UNREACHABLE)[] = [READY]
  /** The headers of the 202 that accepts a job, besides Location. */
  accepted: Readonly<Record<string, string>> = {}
  /** Called before the server answers a question. */
  onQuestion: (signal: AbortSignal) => Promise<unknown> = async () => undefined

  readonly fetch: GuardedFetch = async (request, { signal }) => {
    const { url } = request
    if (request.method === 'POST' || url.endsWith('/jobs')) {
      this.begun.push(url)
      const headers = { location: `/jobs/${this.begun.length}`, ...this.accepted }
      return ok({ status: 202, url, headers, body: utf8(''), cut: false })
    }
    this.questions.push(request)
    await this.onQuestion(signal)
    const answer = this.answers[Math.min(this.questions.length, this.answers.length) - 1] ?? READY
    if (answer === UNREACHABLE) {
      const failure: FetchFailure = { code: 'unreachable', detail: 'Nobody there.', sent: true }
      return err(failure)
    }
    const { status, headers = {}, body = '' } = answer
    const type = { 'content-type': 'text/plain' }
    return ok({ status, url, headers: { ...type, ...headers }, body: utf8(body), cut: false })
  }

  /** The tool `report`, as it is now. */
  tool(effect: Effect, now: () => number, more: Pick<BuiltinTool, 'approval'> = {}): BuiltinTool {
    const method = effect === 'read' ? 'GET' : 'POST'
    const parsed = parseDefinition({
      name: 'report',
      description: 'Writes a report.',
      input_schema: { type: 'object' },
      request: { method, url: 'https://jobs.example.com/jobs' },
      effect,
      answer: '202 + Location',
    })
    if (!parsed.ok) throw new Error(parsed.error.detail)
    const secrets = { use: async () => ok(new Map()), brought: async () => ok(new Map()) }
    const ports = { fetch: this.fetch, secrets, secretsInUrl: false, now }
    const { name, description, input_schema } = parsed.value
    return {
      spec: { name, description, input_schema },
      effect,
      make: () => httpTool(parsed.value, 'd', ports),
      ...more,
    }
  }
}

export interface Job {
  readonly thread: TestThread
  /** The ports of `thread`, for use in another TestThread. */
  readonly ports: Partial<ThreadPorts>
  readonly server: JobServer
  readonly world: World
  readonly clock: HandClock
  readonly model: ScriptedModel
}

const REPORT: readonly Turn[] = [{ content: [use('t1', 'report')] }, DONE]

export function reports(
  effect: Effect = 'once',
  turns: ConstructorParameters<typeof ScriptedModel>[0] = REPORT,
  ports: Partial<ThreadPorts> = {},
): Job {
  const clock = new HandClock()
  const [model, server, world] = [new ScriptedModel(turns), new JobServer(), new World()]
  const tools: ThreadPorts['tools'] = () => [
    ...world.tools,
    world.paying(effect),
    server.tool(effect, clock.now),
  ]
  const given = { ...speaks(model), now: clock.now, tools, ...ports }
  return { thread: new TestThread(given), ports: given, server, world, clock, model }
}

/** Moves the clock to the next alarm, and fires it. */
export async function nextAlarm({ thread, clock }: Pick<Job, 'thread' | 'clock'>): Promise<void> {
  clock.ms = Math.max(clock.ms, (await thread.alarmAt()) ?? 0)
  await thread.alarm()
}

/** Resolves once the run waits and its alarm is set to the next question. */
export async function waits({ thread, clock }: Pick<Job, 'thread' | 'clock'>, runId: string): Promise<void> {
  await eventually(
    () => thread.status(runId),
    (status) => status === 'waiting',
  )
  await eventually(
    async () => [await thread.alarmAt(), await dueAt(thread)] as const,
    ([alarm, due]) => alarm === due && due >= clock.ms,
  )
}

export function dueAt(thread: TestThread): Promise<number> {
  return thread.sql((sql) => sql.exec<{ due: number }>('SELECT min(due_at) AS due FROM waits').one().due)
}
