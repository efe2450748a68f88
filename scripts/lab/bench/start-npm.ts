// Benchmark of `npm start`: the start with a fresh state folder, an edited skill, and the recovery after the runtime
// was killed or hung. Measured from a client.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  line,
  plain,
  secondsOf,
  type FigureLine,
  type PartResult,
  type ReportProgress,
} from '../rig/lines.ts'
import { AUTHORIZED, adminRequest } from '../rig/requests.ts'
import { livingWorkerd, startSatchel, type Satchel } from '../rig/satchel.ts'
import { until } from '../rig/until.ts'

const ASK_EVERY_MS = 10
const ROUNDS = 5
const SKILL = 'edited-skill'
const START_GOAL_MS = 15_000
const EDIT_LIVE_GOAL_MS = 1_000
const RESTART_GOAL_MS = 5_000

async function firstEvent(url: string): Promise<void> {
  const body = { message: 'Write an incident report.', stream: true }
  const response = await adminRequest(url, 'POST /v1/chat', body)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('event: run.')) break
  }
}

function writeSkill(skills: string, description: string): void {
  mkdirSync(join(skills, SKILL), { recursive: true })
  writeFileSync(
    join(skills, SKILL, 'SKILL.md'),
    `---\nname: ${SKILL}\ndescription: ${description}\n---\nDo it.\n`,
  )
}

/** The time in ms until `ask` returns true. */
async function measureUntil(what: string, ask: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  await until(what, () => ask().catch(() => false), ASK_EVERY_MS)
  return performance.now() - startedMs
}

/** The time from writing the file until the description appears in /v1/skills. */
async function measureEdit(url: string, skills: string, round: number): Promise<number> {
  const description = `Shows edit number ${round}.`
  writeSkill(skills, description)
  return measureUntil('an edited skill is live', async () => {
    const answer = await fetch(`${url}/v1/skills?limit=100`, { headers: AUTHORIZED })
    return (await answer.text()).includes(description)
  })
}

/** Sends the runtime this signal. Returns the time until another one responds. */
async function measureRecovery(satchel: Satchel, signal: 'SIGKILL' | 'SIGSTOP'): Promise<number> {
  const countRestarts = (): number => satchel.output().split('Up again after').length
  const before = countRestarts()
  process.kill((await livingWorkerd(satchel)).pid, signal)
  const took = await measureUntil('it is healthy again', async () => {
    return (await fetch(`${satchel.url}/healthz`, { signal: AbortSignal.timeout(500) })).ok
  })
  // The runtime responds a moment before its supervisor notices. Killing it earlier would be a failed start, which is
  // another case.
  await until('its supervisor knows', () => countRestarts() > before)
  return took
}

async function repeat(measure: (round: number) => Promise<number>): Promise<readonly number[]> {
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await measure(round))
  return all
}

function slowestLine(what: string, all: readonly number[], limit: number): FigureLine {
  const maxMs = Math.max(...all)
  const figure = `${secondsOf(maxMs)} at most, ${all.length} times`
  return line(`npm start: ${what}`, figure, `≤ ${limit / 1_000} s`, maxMs <= limit)
}

/**
 * Starts `npm start` with a fresh state folder and without a model key, sends a message, then edits a skill and kills
 * workerd.
 */
export async function measureNpmStart(tell: ReportProgress): Promise<PartResult> {
  tell('start-npm: npm start on a fresh state folder, edits, kills and hangs')
  const skills = mkdtempSync(join(tmpdir(), 'satchel-bench-start-'))
  writeSkill(skills, 'Is edited.')
  const startedMs = performance.now()
  const satchel = await startSatchel({ args: ['--skills', skills], typed: true })
  try {
    const readyMs = performance.now() - startedMs
    await firstEvent(satchel.url)
    const firstEventMs = performance.now() - startedMs
    const editMs = await repeat((round) => measureEdit(satchel.url, skills, round))
    const killedMs = await repeat(() => measureRecovery(satchel, 'SIGKILL'))
    const hungMs = await repeat(() => measureRecovery(satchel, 'SIGSTOP'))
    return {
      figures: { readyMs, firstEventMs, editMs, killedMs, hungMs },
      lines: [
        plain('npm start, fresh state: ready', secondsOf(readyMs)),
        line(
          'npm start, fresh state: first event of the first run',
          secondsOf(firstEventMs),
          `≤ ${START_GOAL_MS / 1_000} s`,
          firstEventMs <= START_GOAL_MS,
        ),
        slowestLine('an edited SKILL.md is live', editMs, EDIT_LIVE_GOAL_MS),
        slowestLine('restart after workerd is killed', killedMs, RESTART_GOAL_MS),
        slowestLine('restart after workerd hangs', hungMs, RESTART_GOAL_MS),
      ],
    }
  } finally {
    await satchel.stop()
    rmSync(skills, { recursive: true, force: true, maxRetries: 5 })
  }
}
