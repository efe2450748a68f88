// What is measured a few times rather than in rounds: a cold start, the builds, the pushes, the upload's size.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeBuild } from '../build/build.ts'
import { measureUpload } from '../check-size.ts'
import { freePort } from '../lib/free-port.ts'
import { openLocal } from '../push/local-target.ts'
import { pushBuild } from '../push/push.ts'
import { ADMIN_KEY, ROOT } from './servers.ts'

const START_LIMIT_MS = 60_000

export interface StartFigures {
  /** From the typed command to the first event of the first run, in milliseconds. */
  readonly firstEventMs: number
  readonly readyMs: number
}

/** `npm start` on a fresh state folder without a model key, then a first message at once. */
export async function measureStart(): Promise<StartFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-bench-start-'))
  const port = await freePort()
  const began = performance.now()
  const child = spawn('npm', ['start', '--', '--port', String(port), '--persist-to', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ADMIN_KEY, ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', MODEL: '' },
    detached: true,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let out = ''
      const late = setTimeout(() => reject(new Error(`npm start: not up in time:\n${out}`)), START_LIMIT_MS)
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        if (!/ ready .* after npm start/.test(out)) return
        clearTimeout(late)
        resolve()
      })
      child.once('exit', (status) => reject(new Error(`npm start ended with ${status}:\n${out}`)))
    })
    const readyMs = performance.now() - began
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Write an incident report.', stream: true }),
    })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('event: run.')) break
    }
    return { readyMs, firstEventMs: performance.now() - began }
  } finally {
    // npm, its shell and the server are one process group, led by the process that was started here.
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGTERM')
      await once(child, 'close')
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export interface BuildFigures {
  readonly what: string
  readonly skills: number
  readonly ms: number
}

/** Scan, parse and hash; the second of two builds, so that the disk cache is warm for every machine alike. */
async function timedBuild(what: string, folders: readonly string[]): Promise<BuildFigures> {
  await makeBuild(folders, false)
  const began = performance.now()
  const { build } = await makeBuild(folders, false)
  return { what, skills: build.index.skills.length, ms: performance.now() - began }
}

/** The collection of real skills beside the repository, where there is one. */
function corpus(): string | null {
  const folder = join(ROOT, '../shared/corpus')
  return existsSync(folder) ? folder : null
}

export async function measureBuilds(): Promise<readonly BuildFigures[]> {
  const own = await timedBuild('built-in skills', [join(ROOT, 'skills')])
  const folder = corpus()
  return folder ? [own, await timedBuild('corpus of real skills', [folder])] : [own]
}

export interface PushFigures {
  readonly what: string
  readonly objects: number
  readonly ms: number
}

/** To empty local stores, and the same again, which must send nothing. */
export async function measurePushes(): Promise<readonly PushFigures[]> {
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-push-'))
  const folder = corpus()
  const { build } = await makeBuild([join(ROOT, 'skills'), ...(folder ? [folder] : [])], false)
  const stores = await openLocal(join(ROOT, 'wrangler.toml'), persist)
  try {
    const figures: PushFigures[] = []
    for (const what of ['first push', 'second push']) {
      const began = performance.now()
      const sent = await pushBuild(build, stores.target)
      figures.push({ what, objects: sent.blobs + sent.kv, ms: performance.now() - began })
    }
    return figures
  } finally {
    await stores.close()
    rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Bytes of all uploaded modules, each gzipped. */
export async function measureSize(): Promise<number> {
  return (await measureUpload()).bytes
}
