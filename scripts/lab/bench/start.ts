// What `npm start` promises in seconds: up on a fresh state folder, an edited skill live, the runtime up again after it
// was killed and after it hung. Each is what a client sees, from outside.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { freePort } from '../../lib/free-port.ts'
import { ADMIN_KEY, ENCRYPTION_KEY, ID_SECRET, ROOT } from './servers.ts'

const LIMIT_MS = 60_000
const ASK_EVERY_MS = 10
const ROUNDS = 5
const SKILL = 'edited-skill'

export interface StartFigures {
  /** From the typed command to the first event of the first run, in milliseconds. */
  readonly firstEventMs: number
  readonly readyMs: number
  /** From the written file to the description that /v1/skills answers. */
  readonly editMs: readonly number[]
  /** From SIGKILL of workerd to a healthy answer. */
  readonly killedMs: readonly number[]
  /** The same from SIGSTOP. */
  readonly hungMs: readonly number[]
}

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' }

/** Milliseconds until it is so. Throws after a minute. */
async function until(began: number, ask: () => Promise<boolean>): Promise<number> {
  while (!(await ask().catch(() => false))) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`npm start: not so after ${LIMIT_MS} ms`)
    await sleep(ASK_EVERY_MS)
  }
  return performance.now() - began
}

async function firstEvent(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message: 'Write an incident report.', stream: true }),
  })
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

async function edited(url: string, skills: string, round: number): Promise<number> {
  const description = `Shows edit number ${round}.`
  writeSkill(skills, description)
  return until(performance.now(), async () => {
    const answer = await fetch(`${url}/v1/skills?limit=100`, { headers })
    return (await answer.text()).includes(description)
  })
}

function workerdOf(folder: string): number {
  // Written by the server that runs on the folder.
  const state = JSON.parse(readFileSync(join(folder, 'satchel.pid'), 'utf8')) as {
    readonly workerd: { readonly pid: number } | null
  }
  if (!state.workerd) throw new Error('npm start: no workerd is recorded')
  return state.workerd.pid
}

/** The runtime gets this signal; how long until another one answers. */
async function recovered(
  url: string,
  folder: string,
  ups: () => number,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<number> {
  const healthy = async (): Promise<boolean> =>
    (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(500) })).ok
  const before = ups()
  process.kill(workerdOf(folder), signal)
  const took = await until(performance.now(), healthy)
  // It answers a moment before its supervisor knows: what comes before that is a start that fails, another thing.
  await until(performance.now(), async () => ups() > before)
  return took
}

async function times(measure: (round: number) => Promise<number>): Promise<readonly number[]> {
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await measure(round))
  return all
}

/** `npm start` on a fresh state folder without a model key, a first message at once, then edits and ends of workerd. */
export async function measureStart(): Promise<StartFigures> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-bench-start-'))
  const [folder, skills] = [join(home, 'state'), join(home, 'skills')]
  writeSkill(skills, 'Is edited.')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--persist-to', folder, '--skills', skills]
  const began = performance.now()
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ADMIN_KEY,
      ID_SECRET,
      ENCRYPTION_KEY,
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_BASE_URL: '',
      MODEL: '',
    },
    detached: true,
  })
  let out = ''
  const ups = (): number => out.split('Up again after').length
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`npm start: not up in time:\n${out}`)), LIMIT_MS)
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        if (!/ ready .* after npm start/.test(out)) return
        clearTimeout(late)
        resolve()
      })
      child.once('exit', (status) => reject(new Error(`npm start ended with ${status}:\n${out}`)))
    })
    const readyMs = performance.now() - began
    await firstEvent(url)
    return {
      readyMs,
      firstEventMs: performance.now() - began,
      editMs: await times((round) => edited(url, skills, round)),
      killedMs: await times(() => recovered(url, folder, ups, 'SIGKILL')),
      hungMs: await times(() => recovered(url, folder, ups, 'SIGSTOP')),
    }
  } finally {
    // npm, its shell and the server are one process group, led by the process that was started here.
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGTERM')
      await once(child, 'close')
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
