// A Worker that does nothing but hand jobs to children of the sandbox: what scripts/lab/sandbox/children.ts starts.

import { decodeBase64, encodeBase64 } from './base64.ts'

import type { Guest, GuestJob } from '../../../src/sandbox/guest.ts'

/** As much of the platform as is used here; its types and Node's are not for one program. */
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

/** A job as JSON: bytes as base64, and the files' bytes with it. */
export interface JobAsk {
  readonly runtime: string
  /** The isolate's name; null for one that is thrown away. */
  readonly isolate: string | null
  readonly job: Omit<GuestJob, 'stdin' | 'files' | 'overlay'>
  readonly stdin: string
  readonly files: Readonly<Record<string, string>>
}

export interface JobAnswer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly changes: Readonly<Record<string, string | null>>
  readonly stopped: string | null
  readonly steps: number
  /** What the call took, in this Worker. */
  readonly ms: number
}

/** What was loaded of a runtime, kept: a thrown-away isolate is measured without reading files. */
const loaded = new Map<string, Promise<object>>()

async function load(env: Env, runtime: string): Promise<object> {
  const read = async (file: string): Promise<Response> => env.RUNTIMES.fetch(`http://runtimes/${file}`)
  // The cast: scripts/runtimes/store.ts writes it.
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

async function run(env: Env, { runtime, isolate, job, stdin, files }: JobAsk): Promise<JobAnswer> {
  const code = loaded.get(runtime) ?? load(env, runtime)
  loaded.set(runtime, code)
  const given = await code
  const bytes = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, decodeBase64(text)]))
  const began = Date.now()
  const stub = isolate === null ? env.LOADER.load(given) : env.LOADER.get(isolate, () => given)
  // The cast: what a runtime's entry point is.
  const guest = stub.getEntrypoint() as unknown as Guest
  const result = await guest.run(
    {
      ...job,
      stdin: decodeBase64(stdin),
      files: Object.entries(bytes).map(([path, { length }]) => ({
        path,
        bytes: length,
        writable: !path.startsWith('/mnt/skills/'),
      })),
      overlay: [],
    },
    { read: async (path) => bytes[path] ?? null, progress: () => {} },
  )
  if ('busy' in result) throw new Error('the child is busy')
  const { stdout, stderr, changes, ...rest } = result
  return {
    ...rest,
    stdout: encodeBase64(stdout),
    stderr: encodeBase64(stderr),
    changes: Object.fromEntries(
      changes.map((change) => [change.path, change.bytes && encodeBase64(change.bytes)]),
    ),
    ms: Date.now() - began,
  }
}

// oxlint-disable-next-line import/no-default-export -- the platform looks for the Worker there
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'GET') return new Response('here')
    // The cast: children.ts sends it.
    return Response.json(await run(env, (await request.json()) as JobAsk))
  },
}
