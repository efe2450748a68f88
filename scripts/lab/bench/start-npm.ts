// The start-up times of `npm start`: a fresh state folder, an edited skill, and the recovery after the runtime was
// killed or hung. Measured as a client sees them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { line, plain, secondsOf, type FigureLine, type Measured, type ReportProgress } from '../rig/lines.ts'
import { AUTHORIZED, adminRequest } from '../rig/requests.ts'
import { livingWorkerd, startSatchel, type Satchel } from '../rig/satchel.ts'
import { until } from '../rig/until.ts'

const ASK_EVERY_MS = 10
const ROUNDS = 5
const SKILL = 'edited-skill'
const START_MS = 15_000
const LIVE_MS = 1_000
const UP_AGAIN_MS = 5_000

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

/** Milliseconds until `ask` is true. */
async function untilSo(what: string, ask: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  await until(what, () => ask().catch(() => false), ASK_EVERY_MS)
  return performance.now() - began
}

/** From the written file to the description in /v1/skills. */
async function edited(url: string, skills: string, round: number): Promise<number> {
  const description = `Shows edit number ${round}.`
  writeSkill(skills, description)
  return untilSo('an edited skill is live', async () => {
    const answer = await fetch(`${url}/v1/skills?limit=100`, { headers: AUTHORIZED })
    return (await answer.text()).includes(description)
  })
}

/** Sends the runtime this signal; returns the time until another one answers. */
async function recovered(satchel: Satchel, signal: 'SIGKILL' | 'SIGSTOP'): Promise<number> {
  const ups = (): number => satchel.output().split('Up again after').length
  const before = ups()
  process.kill((await livingWorkerd(satchel)).pid, signal)
  const took = await untilSo('it is healthy again', async () => {
    return (await fetch(`${satchel.url}/healthz`, { signal: AbortSignal.timeout(500) })).ok
  })
  // The runtime answers a moment before its supervisor notices: an earlier kill would be a failed start, another
  // case.
  await until('its supervisor knows', () => ups() > before)
  return took
}

async function times(measure: (round: number) => Promise<number>): Promise<readonly number[]> {
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await measure(round))
  return all
}

function slowest(what: string, all: readonly number[], limit: number): FigureLine {
  const most = Math.max(...all)
  const figure = `${secondsOf(most)} at most, ${all.length} times`
  return line(`npm start: ${what}`, figure, `≤ ${limit / 1_000} s`, most <= limit)
}

/**
 * `npm start` on a fresh state folder without a model key, a first message at once, then edits and kills of
 * workerd.
 */
export async function measureNpmStart(tell: ReportProgress): Promise<Measured> {
  tell('start-npm: npm start on a fresh state folder, edits, kills and hangs')
  const skills = mkdtempSync(join(tmpdir(), 'satchel-bench-start-'))
  writeSkill(skills, 'Is edited.')
  const began = performance.now()
  const satchel = await startSatchel({ args: ['--skills', skills], typed: true })
  try {
    const readyMs = performance.now() - began
    await firstEvent(satchel.url)
    const firstEventMs = performance.now() - began
    const editMs = await times((round) => edited(satchel.url, skills, round))
    const killedMs = await times(() => recovered(satchel, 'SIGKILL'))
    const hungMs = await times(() => recovered(satchel, 'SIGSTOP'))
    return {
      figures: { readyMs, firstEventMs, editMs, killedMs, hungMs },
      lines: [
        plain('npm start, fresh state: ready', secondsOf(readyMs)),
        line(
          'npm start, fresh state: first event of the first run',
          secondsOf(firstEventMs),
          `≤ ${START_MS / 1_000} s`,
          firstEventMs <= START_MS,
        ),
        slowest('an edited SKILL.md is live', editMs, LIVE_MS),
        slowest('restart after workerd is killed', killedMs, UP_AGAIN_MS),
        slowest('restart after workerd hangs', hungMs, UP_AGAIN_MS),
      ],
    }
  } finally {
    await satchel.stop()
    rmSync(skills, { recursive: true, force: true, maxRetries: 5 })
  }
}
