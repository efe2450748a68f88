// Benchmark of file uploads and downloads: speed compared with a Worker that passes the bytes through, and memory.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { bundleWorker } from '../../workerd/bundle.ts'
import { readWorkerOptions, startRuntime } from '../../workerd/runtime.ts'
import { freePort } from '../../lib/free-port.ts'
import { ADMIN_KEY, ID_SECRET, ROOT } from '../rig/keys.ts'
import {
  ms,
  plain,
  times,
  under,
  type FigureLine,
  type PartResult,
  type ReportProgress,
} from '../rig/lines.ts'
import { AUTHORIZED, newThread } from '../rig/requests.ts'
import { figures, type Figures } from '../rig/stats.ts'
import { inspect, type WorkerMemory } from './worker-memory.ts'

const FILE_BYTES = 30_000_000
const ROUNDS = 9
const WARM_UP = 2
const CONCURRENCY = 20
const PIECE_BYTES = 65_536
/** Memory limits for one file at a time, and for twenty. */
const ONE_FILE_PEAK_MAX_MB = 20
const MANY_FILES_PEAK_MAX_MB = 60

interface FileFigures {
  readonly times: readonly { readonly what: string; readonly satchel: Figures; readonly bare: Figures }[]
  readonly memory: readonly { readonly what: string; readonly count: number; readonly peakBytes: number }[]
}

const BARE = `export default {
  async fetch(request, env) {
    const key = new URL(request.url).pathname
    if (request.method === 'PUT') {
      await env.FILES.put(key, request.body)
      return new Response(null, { status: 201 })
    }
    const { body, size } = await env.FILES.get(key)
    return new Response(body, { headers: { 'Content-Length': String(size) } })
  },
}`

type Bytes = Uint8Array<ArrayBuffer>

interface FileServer {
  /** The URL for a file of this name. */
  readonly urlOf: (name: string) => string
  readonly headers: Readonly<Record<string, string>>
}

function randomContent(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FILE_BYTES)
  for (let at = 0; at < FILE_BYTES; at += PIECE_BYTES)
    crypto.getRandomValues(bytes.subarray(at, at + PIECE_BYTES))
  return bytes
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return response
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + PIECE_BYTES))
      at += PIECE_BYTES
    },
  })
}

type Transfer = (server: FileServer, name: string) => Promise<unknown>

function transfersOf(bytes: Uint8Array<ArrayBuffer>, formUrl: string): Readonly<Record<string, Transfer>> {
  const put = async (
    { urlOf, headers }: FileServer,
    name: string,
    body: Bytes | ReadableStream,
  ): Promise<Response> => {
    // Node requires this for a stream; the types lack it.
    const init: RequestInit & { readonly duplex: 'half' } = { method: 'PUT', headers, body, duplex: 'half' }
    return expectOk(await fetch(urlOf(name), init))
  }
  return {
    up: async (server, name) => put(server, name, bytes),
    'up without a length': async (server, name) => put(server, name, streamOf(bytes)),
    'up in a form': async (server, name) => {
      const body = new FormData()
      body.append('files[]', new Blob([bytes]), name)
      return expectOk(await fetch(formUrl, { method: 'POST', headers: server.headers, body }))
    },
    down: async ({ urlOf, headers }) => {
      const response = await expectOk(await fetch(urlOf('first.bin'), { headers }))
      const { byteLength } = await response.arrayBuffer()
      if (byteLength !== FILE_BYTES) throw new Error(`${byteLength} bytes came of ${FILE_BYTES}`)
    },
  }
}

/** Measures both alternately, so that other load on the machine affects them equally. */
async function measureTimes(
  transfers: Readonly<Record<string, Transfer>>,
  satchel: FileServer,
  bare: FileServer,
): Promise<FileFigures['times']> {
  const all: FileFigures['times'][number][] = []
  for (const what of ['up', 'down']) {
    const transfer = transfers[what]
    if (!transfer) continue
    const samples = { satchel: [] as number[], bare: [] as number[] }
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const [subject, server] of [['satchel', satchel] as const, ['bare', bare] as const]) {
        const startedMs = performance.now()
        await transfer(server, round === -WARM_UP ? 'first.bin' : `timed-${round}.bin`)
        if (round >= 0) samples[subject].push(performance.now() - startedMs)
      }
    all.push({ what, satchel: figures(samples.satchel), bare: figures(samples.bare) })
  }
  return all
}

/** Measures each in a fresh Worker, because uncollected memory of earlier work would count. */
async function measureMemory(
  start: () => Promise<{ readonly memory: WorkerMemory; stop(): Promise<void> }>,
  transfers: Readonly<Record<string, Transfer>>,
  server: FileServer,
  tell: ReportProgress,
): Promise<FileFigures['memory']> {
  const peaks: FileFigures['memory'][number][] = []
  for (const count of [1, CONCURRENCY])
    for (const [what, transfer] of Object.entries(transfers)) {
      tell(`files: memory of ${count} ${what}`)
      const { memory, ...started } = await start()
      try {
        await expectOk(await fetch(server.urlOf('first.bin'), { method: 'HEAD', headers: server.headers }))
        // Use new names, because replaced files are kept for an hour and their number is limited.
        const all = Array.from({ length: count }, (_, at) => `${what}-${count}-${at}.bin`)
        const peakBytes = await memory.peakOf(async () =>
          Promise.all(all.map((name) => transfer(server, name))),
        )
        peaks.push({ what, count, peakBytes })
      } finally {
        memory.close()
        await started.stop()
      }
    }
  return peaks
}

/** Rejects if a Worker does not start or an answer is wrong. */
export async function measureFiles(tell: ReportProgress): Promise<PartResult> {
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const stops: (() => Promise<void>)[] = []
  try {
    const [code, options] = await Promise.all([bundleWorker(ROOT, 'src/index.ts'), readWorkerOptions(ROOT)])
    const [port, barePort, inspectorPort] = [await freePort(), await freePort(), await freePort()]
    const shared = {
      root: ROOT,
      log: (level: string, line: string) => void (level === 'error' && console.error(line)),
      restarted: async () => undefined,
    }
    const bindings = {
      ADMIN_KEY,
      ID_SECRET,
      DEV_BUILD: '1',
      THREAD_FILES_MAX_BYTES: String(10 * 1_073_741_824),
    }
    const satchelOptions = {
      ...shared,
      worker: options,
      code,
      bindings,
      port,
      inspectorPort,
      persist: join(persist, 'satchel'),
    }
    const satchelRuntime = await startRuntime(satchelOptions)
    stops.push(async () => satchelRuntime.stop())
    const { rootPath, compatibilityDate, compatibilityFlags, r2Buckets } = options
    const worker = { name: 'bare', rootPath, compatibilityDate, compatibilityFlags, r2Buckets }
    const bareOptions = {
      ...shared,
      worker,
      code: BARE,
      bindings: {},
      port: barePort,
      persist: join(persist, 'bare'),
    }
    const bareRuntime = await startRuntime(bareOptions)
    stops.push(async () => bareRuntime.stop())
    const url = `http://127.0.0.1:${port}`
    const form = `${url}/v1/threads/${await newThread(url)}/files`
    const satchel: FileServer = { urlOf: (name) => `${form}/uploads/${name}`, headers: AUTHORIZED }
    const bare: FileServer = { urlOf: (name) => `http://127.0.0.1:${barePort}/${name}`, headers: {} }
    const transfers = transfersOf(randomContent(), form)
    tell('files: 30 MB up and down')
    const samples = await measureTimes(transfers, satchel, bare)
    for (const stop of stops.splice(0)) await stop()
    const startFresh = async (): Promise<{ readonly memory: WorkerMemory; stop(): Promise<void> }> => {
      const runtime = await startRuntime(satchelOptions)
      const memory = await inspect(inspectorPort, String(options['name']))
      return { memory, stop: async () => runtime.stop() }
    }
    const memory = await measureMemory(startFresh, transfers, satchel, tell)
    return {
      lines: linesOf({ times: samples, memory }),
      figures: { bytes: FILE_BYTES, times: samples, memory },
    }
  } finally {
    for (const stop of stops) await stop()
    rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
}

function linesOf({ times: samples, memory }: FileFigures): readonly FigureLine[] {
  const mb = FILE_BYTES / 1_000_000
  const rate = ({ median }: Figures): string => `${ms(median)} (${((mb / median) * 1_000).toFixed(0)} MB/s)`
  return [
    ...samples.map(({ what, satchel, bare }) =>
      plain(
        `${mb} MB ${what}load: Satchel, bare Worker`,
        `${rate(satchel)}, ${rate(bare)}: ${times(satchel.median / bare.median)}`,
      ),
    ),
    ...[...new Set(memory.map(({ count }) => count))].map((count) => {
      const peak =
        Math.max(...memory.flatMap((entry) => (entry.count === count ? [entry.peakBytes] : []))) / 1_000_000
      const name = `peak Worker memory, ${count} × ${mb} MB at once, upload or download`
      return under(
        name,
        `+ ${peak.toFixed(1)} MB`,
        peak,
        count === 1 ? ONE_FILE_PEAK_MAX_MB : MANY_FILES_PEAK_MAX_MB,
        'MB',
      )
    }),
  ]
}
