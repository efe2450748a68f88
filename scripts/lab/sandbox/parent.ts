// A Worker that only passes jobs to the sandbox's isolates. Started by scripts/lab/sandbox/children.ts.

import type { Guest, GuestJob } from '../../../src/sandbox/guest.ts'

/** The platform's types that are used here, declared because the complete ones conflict with Node's. */
interface Env {
  readonly LOADER: {
    load(code: object): { getEntrypoint(): unknown }
    get(name: string, code: () => object): { getEntrypoint(): unknown }
  }
  readonly RUNTIMES: { fetch(url: string): Promise<Response> }
}

interface Manifest {
  readonly main: string
  readonly modules: Readonly<Record<string, { readonly type: 'js' | 'wasm' | 'data'; readonly file: string }>>
}

export interface JobAsk {
  readonly runtime: string
  /** The isolate's name; null for a temporary one. */
  readonly isolate: string | null
  readonly job: Omit<GuestJob, 'stdin' | 'files' | 'overlay'>
}

export interface JobAnswer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** The duration of the call, measured in this Worker. */
  readonly ms: number
}

/** Loaded runtimes, so that a temporary isolate is measured without the time for reading files. */
const loaded = new Map<string, Promise<object>>()

async function load(env: Env, runtime: string): Promise<object> {
  const read = async (file: string): Promise<Response> => env.RUNTIMES.fetch(`http://runtimes/${file}`)
  // The cast is safe: scripts/runtimes/store.ts writes this file.
  const { main, modules } = (await (await read(`${runtime}.json`)).json()) as Manifest
  const parts = await Promise.all(
    Object.entries(modules).map(async ([name, { type, file }]) => {
      const response = await read(file)
      return [
        name,
        type === 'js' ? { js: await response.text() } : { [type]: await response.arrayBuffer() },
      ] as const
    }),
  )
  const all = Object.fromEntries(parts)
  return { compatibilityDate: '2026-11-01', mainModule: main, modules: all, globalOutbound: null, env: {} }
}

async function run(env: Env, { runtime, isolate, job }: JobAsk): Promise<JobAnswer> {
  const code = loaded.get(runtime) ?? load(env, runtime)
  loaded.set(runtime, code)
  const loadedCode = await code
  const startedMs = Date.now()
  const stub = isolate === null ? env.LOADER.load(loadedCode) : env.LOADER.get(isolate, () => loadedCode)
  // The cast is safe: every runtime's entry point has this type.
  const guest = stub.getEntrypoint() as unknown as Guest
  const result = await guest.run(
    { ...job, stdin: new Uint8Array(), files: [], overlay: [] },
    { read: async () => null, progress: () => {} },
  )
  if ('busy' in result) throw new Error('the child is busy')
  const [stdout, stderr] = [result.stdout, result.stderr].map((bytes) => new TextDecoder().decode(bytes))
  return {
    exitCode: result.exitCode,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    ms: Date.now() - startedMs,
  }
}

// oxlint-disable-next-line import/no-default-export -- the platform expects the Worker there
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'GET') return new Response('here')
    // The cast is safe: children.ts sends this message.
    return Response.json(await run(env, (await request.json()) as JobAsk))
  },
}
