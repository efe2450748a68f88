// The backup of a deployment and its restore into an empty one, by the commands themselves: their time and memory, beside a copy of
// the state folder.

import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { forEachBounded } from '../../backup/ports.ts'
import { residentMb } from '../../lib/processes.ts'
import { plain, secondsOf, times, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { adminRequest, say } from '../rig/requests.ts'
import { finished, script } from '../rig/script.ts'
import { startFakeApi, startWorker, withServers, type WorkerServer } from '../rig/worker.ts'

const THREADS = 200
/** Kept in the thread's object. */
const SMALL_FILE_BYTES = 4_000
/** Kept in R2. */
const LARGE_FILE_BYTES = 500_000
const LARGE_FILE_EVERY = 4
const AT_ONCE = 8
const MEMORY_EVERY_MS = 20

interface CommandFigures {
  readonly ms: number
  readonly peakMb: number
  /** Of the server. */
  readonly processorMs: number
}

/** Two messages and a file in each thread, and a large file in some. */
async function fill(url: string): Promise<void> {
  const numbers = Array.from({ length: THREADS }, (_, nth) => nth)
  await forEachBounded(numbers, AT_ONCE, async (nth) => {
    const { threadId } = await say(url, null, `What happened on day ${nth}? ${'It rained. '.repeat(50)}`)
    await say(url, threadId, 'And then?')
    const put = (name: string, bytes: number): Promise<Response> =>
      adminRequest(url, `PUT /v1/threads/${threadId}/files/uploads/${name}`, new Uint8Array(bytes).fill(nth))
    await put('notes.txt', SMALL_FILE_BYTES)
    if (nth % LARGE_FILE_EVERY === 0) await put('data.bin', LARGE_FILE_BYTES)
  })
}

async function measured(child: ChildProcess, server: WorkerServer): Promise<CommandFigures> {
  const processorMs = server.processorMs()
  const startedMs = performance.now()
  let peakMb = 0
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(child.pid ?? 0))
  }, MEMORY_EVERY_MS)
  const { status, out } = await finished(child)
  clearInterval(timer)
  if (status !== 0) throw new Error(`It ended with ${status}: ${out}`)
  return { ms: performance.now() - startedMs, peakMb, processorMs: server.processorMs() - processorMs }
}

export async function measureBackup(tell: ReportProgress): Promise<PartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-backup-'))
  const [persist, file] = [join(folder, 'state'), join(folder, 'backup.tar')]
  try {
    const backup = await withServers(async (keep) => {
      const source = await keep(startWorker((await keep(startFakeApi())).url, { persist }))
      tell(`backup: ${THREADS} threads are created`)
      await fill(source.url)
      tell('backup: backup')
      return measured(script('backup.ts', [file, '--url', source.url]), source)
    })
    const bytes = statSync(file).size
    const copyStartedMs = performance.now()
    cpSync(persist, join(folder, 'copy'), { recursive: true })
    const copyMs = performance.now() - copyStartedMs
    tell('backup: restore')
    const restore = await withServers(async (keep) => {
      const target = await keep(startWorker((await keep(startFakeApi())).url))
      return measured(script('restore.ts', [file, '--yes', '--url', target.url]), target)
    })
    const what = `${THREADS} threads, archive of ${(bytes / 1e6).toFixed(1)} MB`
    const figure = ({ ms, peakMb, processorMs }: CommandFigures): string =>
      `${secondsOf(ms)}, ${(bytes / 1e3 / ms).toFixed(1)} MB/s, ${(processorMs / THREADS).toFixed(0)} ms of processor time a thread, peak memory ${peakMb.toFixed(0)} MB`
    return {
      figures: { threads: THREADS, bytes, backup, restore, copyMs },
      lines: [
        plain(`npm run backup: ${what}`, figure(backup)),
        plain(`npm run restore: ${what}`, figure(restore)),
        plain('copy of the state folder of the stopped server', secondsOf(copyMs)),
        plain('npm run backup over that copy', times(backup.ms / copyMs)),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
