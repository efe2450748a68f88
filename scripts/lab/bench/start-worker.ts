// Benchmark of the Worker's start: fresh processes of workerd evaluate the deployed upload, alternately with an empty
// Worker, and each answers one request. There are no bindings, so only modules are evaluated, and no object is
// created.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { withUpload } from '../../check/size.ts'
import { ROOT } from '../rig/keys.ts'
import { ms, plain, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { ended } from '../rig/script.ts'
import { figures, type Figures } from '../rig/stats.ts'

const ROUNDS = 25
const WARM_UP = 3
/** The request handler is not measured. */
const MAIN_MODULE = "import './index.js'\nexport default { fetch: () => new Response('up') }\n"

/** workerd's configuration. It chooses a free port and reports it. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .measured)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const measured :Workerd.Worker = (
  modules = [
    (name = "main.js", esModule = embed "main.js"),
    (name = "index.js", esModule = embed "index.js"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["global_fetch_strictly_public", "nodejs_compat"],
);
`

interface StartMessage {
  /** CPU time of all threads. */
  readonly cpuMs: number
  /** Peak of resident memory. */
  readonly mb: number
}

/** CPU time of a process in ms, summed over its threads. Linux only. */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const threadsMs = threads.map((thread) => {
    const [ns = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(ns) / 1e6
  })
  return threadsMs.reduce((sum, one) => sum + one, 0)
}

function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

/** Measures one fresh process, from its start to its first response. Rejects if it does not start. */
async function measureStart(workerd: string, folder: string): Promise<StartMessage> {
  const config = join(folder, 'config.capnp')
  const child = spawn(workerd, ['serve', config, '--control-fd=1'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error('workerd did not come up'))),
    ])) as [string] // the event's documented argument
    // workerd's report about its socket.
    const { port } = JSON.parse(line) as { readonly port: number }
    await (await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } })).text()
    const pid = child.pid ?? 0
    return { cpuMs: cpuMs(pid), mb: peakMb(pid) }
  } finally {
    await ended(child, () => child.kill('SIGKILL'))
  }
}

function writeWorker(index: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-bench-worker-'))
  writeFileSync(join(folder, 'config.capnp'), CONFIG)
  writeFileSync(join(folder, 'main.js'), MAIN_MODULE)
  writeFileSync(join(folder, 'index.js'), index)
  return folder
}

/** Measures both alternately, so that other load on the machine affects them equally. */
export async function measureWorkerStart(tell: ReportProgress): Promise<PartResult> {
  const wrangler = createRequire(join(ROOT, 'node_modules/wrangler/package.json'))
  // The cast is safe: this type describes the required module, which has no types.
  const { default: workerd } = wrangler('workerd') as { readonly default: string }
  tell('start-worker: bundling as for a deploy')
  const index = await withUpload((directory) => readFileSync(join(directory, 'index.js'), 'utf8'))
  const folders = { satchel: writeWorker(index), empty: writeWorker('') }
  const samples: Record<keyof typeof folders, StartMessage[]> = { satchel: [], empty: [] }
  try {
    tell(`start-worker: ${ROUNDS} fresh processes each`)
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const subject of ['satchel', 'empty'] as const) {
        const start = await measureStart(workerd, folders[subject])
        if (round >= 0) samples[subject].push(start)
      }
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
  const of = (by: (start: StartMessage) => number): Readonly<Record<keyof typeof folders, Figures>> => ({
    satchel: figures(samples.satchel.map(by)),
    empty: figures(samples.empty.map(by)),
  })
  const [cpu, memory] = [of((start) => start.cpuMs), of(({ mb }) => mb)]
  const comparison = ({ satchel, empty }: typeof cpu, show: (value: number) => string): string => {
    const subjects = [satchel, empty].map(({ median, p99 }) => `${show(median)} · p99 ${show(p99)}`)
    return `+ ${show(satchel.median - empty.median)} (${subjects.join(', ')}; ${satchel.rounds} processes each)`
  }
  return {
    figures: { cpu, memory },
    lines: [
      plain('Worker start, CPU time: Satchel over an empty Worker', comparison(cpu, ms)),
      plain(
        'Worker start, peak memory: Satchel over an empty Worker',
        comparison(memory, (value) => `${value.toFixed(1)} MB`),
      ),
    ],
  }
}
