// A job of hundreds of steps in one thread, over several windows, while workerd is killed at random moments. Every
// later opening must contain what the user wrote, and searches must find what tools returned, whatever the summary
// says.

import { setTimeout as sleep } from 'node:timers/promises'

import { readAllPages, readPage } from '../../../../src/client/pages.ts'
import { requestUntilAnswered } from '../insist.ts'
import { killServer } from '../fault-targets.ts'
import { seededChance, type Chance } from '../../rig/random.ts'

import type { Checks } from '../check-list.ts'
import type { Reply } from '../../../../test/fakes/messages-wire.ts'
import type { Satchel } from '../../rig/satchel.ts'
import type { StoryRequest, WindowApi } from './window-api.ts'

const FILE = '/mnt/user-data/uploads/facts.txt'
const LINE_CHARS = 1_700
const SEARCHES = 10
const RUN_MS = 600_000
/** A kill comes within this many ms after its step began. */
const KILL_WITHIN_MS = 120
/** Share of the summaries during which the server is killed, as long as kills are left. */
const SUMMARY_SHARE = 0.5

export interface JobPlan {
  readonly runs: number
  readonly stepsPerRun: number
  readonly kills: number
  readonly seed: number
}

/**
 * The job as the model performs it, determined only by the request, so that a repeated request gets the same answer.
 */
export class Job {
  readonly #plan: JobPlan
  readonly #random: Chance
  /** The current run, counted from 1. The run after the last one searches. */
  run = 0
  steps = 0
  summaries = 0
  readonly facts: readonly string[]
  /** The results of the searches, by the number of the line that they look for. */
  readonly found = new Map<number, string>()
  readonly searched: readonly number[]

  constructor(plan: JobPlan) {
    this.#plan = plan
    this.#random = seededChance(plan.seed)
    const lines = plan.runs * plan.stepsPerRun
    this.facts = Array.from({ length: lines + 1 }, () => this.#random.between(1e9, 9e9).toString(36))
    // The newest lines may still be in the window, and the last step of a run reads no line.
    const half = Math.floor(lines / 2)
    const searched = new Set<number>()
    while (searched.size < SEARCHES) {
      const line = this.#random.between(1, half)
      if (line % plan.stepsPerRun !== 0) searched.add(line)
    }
    this.searched = [...searched]
  }

  get file(): string {
    const line = (fact: string, at: number): string =>
      `row-${at} holds result-fact ${fact} ${'filler '.repeat(LINE_CHARS)}`.slice(0, LINE_CHARS)
    return this.facts
      .slice(1)
      .map((fact, at) => line(fact, at + 1))
      .join('\n')
  }

  message(run: number): string {
    return run > this.#plan.runs
      ? 'Search for what the rows held.'
      : `Part ${run}: read the rows. Keep user-fact-${run}-${this.facts[run] ?? ''} in mind.`
  }

  readonly step = ({ messages }: StoryRequest, raw: string): Reply => {
    const { run } = this
    const done = Array.from(raw.matchAll(new RegExp(`toolu_${run}_(\\d+)`, 'g')), ([, step]) => Number(step))
    const step = Math.max(-1, ...done) + 1
    this.steps = Math.max(this.steps, (run - 1) * this.#plan.stepsPerRun + step)
    const isSearch = run > this.#plan.runs
    for (const { type, tool_use_id, content } of messages.at(-1)?.content ?? [])
      if (isSearch && type === 'tool_result')
        this.found.set(this.searched[Number(tool_use_id?.split('_').at(-1))] ?? 0, JSON.stringify(content))
    if (step >= (isSearch ? SEARCHES : this.#plan.stepsPerRun - 1))
      return { content: [{ type: 'text', text: `Part ${run} is done.` }] }
    const line = (run - 1) * this.#plan.stepsPerRun + step + 1
    const [name, input] = isSearch
      ? (['search_thread', { query: `row-${this.searched[step]}` }] as const)
      : step % 2 === 0
        ? (['read_file', { path: FILE, start_line: line, end_line: line }] as const)
        : (['grep', { pattern: `^row-${line} `, path: FILE }] as const)
    return {
      content: [
        { type: 'text', text: `Step ${step} of part ${run}.` },
        { type: 'tool_use', id: `toolu_${run}_${step}`, name, input },
      ],
      firstDelayMs: 10,
    }
  }

  readonly onSummary = (): void => void (this.summaries += 1)
}

/** Kills workerd at random steps and during some summaries. Returns the number of kills once the job is over. */
async function killDuring(
  server: Satchel,
  job: Job,
  { kills, runs, stepsPerRun, seed }: JobPlan,
  isOver: () => boolean,
): Promise<number> {
  const random = seededChance(seed + 1)
  const steps = Array.from({ length: kills }, () => random.between(1, runs * stepsPerRun - 5)).toSorted(
    (a, b) => a - b,
  )
  let killed = 0
  let summaries = 0
  while (killed < kills && !isOver()) {
    const isSummary = job.summaries > summaries && random.yes(SUMMARY_SHARE)
    summaries = job.summaries
    if (!isSummary && job.steps < (steps[0] ?? Infinity)) {
      await sleep(2)
      continue
    }
    if (!isSummary) steps.shift()
    await sleep(random.between(0, KILL_WITHIN_MS))
    while (!(await killServer(server, 'workerd'))) await server.ready()
    killed += 1
    await server.ready()
  }
  return killed
}

interface Ended {
  readonly id: string
  readonly status: unknown
  readonly window: number
}

async function runPart(url: string, thread: string, job: Job, run: number, seed: number): Promise<Ended> {
  job.run = run
  const started = await requestUntilAnswered(url, 'POST /v1/chat', {
    body: {
      message: job.message(run),
      thread_id: thread,
      tools: ['files', 'search_thread'],
      budget: { steps: 1_000, tool_calls: 1_000, tokens: 20_000_000, wall_s: 3_600, recoveries: 100 },
    },
    headers: { 'Idempotency-Key': `job-${seed}-${run}`, Prefer: 'respond-async' },
  })
  const id = String(started.body['run_id'])
  for (const until = performance.now() + RUN_MS; performance.now() < until; await sleep(100)) {
    const { body } = await requestUntilAnswered(url, `GET /v1/threads/${thread}/runs/${id}`)
    if (typeof body['ended_at'] === 'string')
      return { id, status: body['stop_reason'], window: Number(body['window']) }
  }
  throw new Error(`part ${run} did not end: ${JSON.stringify(started)}`)
}

async function checkRun(url: string, thread: string, { id, status }: Ended, checks: Checks): Promise<void> {
  const { text } = await requestUntilAnswered(url, `GET /v1/threads/${thread}/runs/${id}/events`)
  const ends = text.match(/^event: run\.(completed|failed|cancelled)$/gm) ?? []
  const isOnce = status === 'answered' && ends.length === 1
  checks.note(
    'each run is answered, with one terminal event',
    id,
    isOnce ? null : `${String(status)}, ${ends.join()}`,
  )
}

/**
 * Checks that every call of every part has one result, in the order of the story, and that every message exists once.
 */
async function checkMessages(server: Satchel, thread: string, plan: JobPlan, checks: Checks): Promise<void> {
  const pages = await readAllPages((cursor) =>
    readPage(server.client, `/v1/threads/${thread}/messages`, {}, { cursor, limit: 100 }),
  )
  if (!pages.ok) throw new Error(`messages: ${JSON.stringify(pages.error)}`)
  const all = JSON.stringify(pages.value)
  const what = 'no message is lost or doubled'
  for (let run = 1; run <= plan.runs; run++)
    for (let step = 0; step < plan.stepsPerRun - 1; step++) {
      const count = (mark: string): number => all.split(mark).length - 1
      const counts = [count(`"id":"toolu_${run}_${step}"`), count(`"tool_use_id":"toolu_${run}_${step}"`)]
      const texts = count(`Step ${step} of part ${run}."`)
      checks.note(
        what,
        `part ${run}, step ${step}`,
        [...counts, texts].every((n) => n === 1) ? null : [...counts, texts].join(),
      )
    }
}

function checkOpenings(
  job: Job,
  { openings }: WindowApi,
  startedBy: readonly number[],
  checks: Checks,
): void {
  for (const [at, opening] of openings.entries())
    for (let run = 1; run <= (startedBy[at] ?? 0); run++)
      checks.note(
        'each opening has what the user wrote, verbatim',
        `window ${at + 2}`,
        opening.includes(job.message(run)) ? null : `part ${run} is missing`,
      )
}

export async function runJob(
  server: Satchel,
  api: WindowApi,
  job: Job,
  plan: JobPlan,
  checks: Checks,
): Promise<string> {
  const { url } = server
  const created = await requestUntilAnswered(url, 'POST /v1/threads')
  const thread = String(created.body['thread_id'])
  await requestUntilAnswered(url, `PUT /v1/threads/${thread}/files/uploads/facts.txt`, { body: job.file })
  let isOver = false
  const killing = killDuring(server, job, plan, () => isOver)
  const ended: Ended[] = []
  /** The current part when each window began. */
  const startedBy: number[] = []
  for (let run = 1; run <= plan.runs; run++) {
    ended.push(await runPart(url, thread, job, run, plan.seed))
    while (startedBy.length < api.openings.length) startedBy.push(run)
  }
  isOver = true
  const killed = await killing
  await server.ready()
  const windows = ended.at(-1)?.window ?? 0
  ended.push(await runPart(url, thread, job, plan.runs + 1, plan.seed))
  for (const run of ended) await checkRun(url, thread, run, checks)
  await checkMessages(server, thread, plan, checks)
  checkOpenings(job, api, startedBy, checks)
  for (const line of job.searched)
    checks.note(
      'search_thread finds what tools returned',
      `row ${line}`,
      job.found.get(line)?.includes(job.facts[line] ?? '?') ? null : String(job.found.get(line)),
    )
  const least = Math.min(6, plan.runs - 1)
  checks.note('the job takes six windows or more', `${windows}`, windows >= least ? null : 'too few')
  const extra = job.summaries - (windows - 1)
  checks.note(
    'at most one more summary is paid for each kill',
    `${extra}`,
    extra <= killed ? null : `${killed} kills`,
  )
  return `${killed} kills, ${windows} windows, ${job.summaries} summaries asked for, ${api.refused()} requests refused as too long.`
}
