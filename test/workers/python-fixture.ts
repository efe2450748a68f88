// Python children for tests: the real runtime from dist/runtimes in real isolates of the loader.

import { env } from 'cloudflare:workers'

import type { Guest, GuestHost, GuestJob, GuestResult } from '../../src/sandbox/guest.ts'

/** The files of dist/runtimes, as served by test/vitest.workers.config.ts. */
interface Runtimes {
  fetch(url: string): Promise<Response>
}

interface Manifest {
  readonly main: string
  readonly modules: Readonly<Record<string, { readonly type: 'js' | 'wasm' | 'data'; readonly file: string }>>
}

export const WORK = '/mnt/user-data/workspace'

async function load(file: string): Promise<Response> {
  // The cast is safe: only the tests have this binding.
  const { RUNTIMES } = env as unknown as { readonly RUNTIMES: Runtimes }
  return RUNTIMES.fetch(`http://runtimes/${file}`)
}

async function code(runtime: string): Promise<WorkerLoaderWorkerCode> {
  const { main, modules } = await (await load(`${runtime}.json`)).json<Manifest>()
  const loaded = await Promise.all(
    Object.entries(modules).map(async ([name, { type, file }]) => {
      const response = await load(file)
      return [
        name,
        type === 'js' ? { js: await response.text() } : { [type]: await response.arrayBuffer() },
      ] as const
    }),
  )
  return {
    compatibilityDate: '2026-11-01',
    mainModule: main,
    modules: Object.fromEntries(loaded),
    globalOutbound: null,
    env: {},
  }
}

/** The guest with this name: the same isolate each time. */
export function child(name = 'python', runtime = 'python'): Guest {
  // The cast is safe: src/sandbox/python/main.ts exports this entry point.
  return env.LOADER.get(name, async () => code(runtime)).getEntrypoint() as unknown as Guest
}

export interface Wanted {
  readonly argv?: readonly string[]
  readonly env?: GuestJob['env']
  readonly stdin?: string
  /** Files with their text; those below /mnt/skills are read-only. */
  readonly files?: Readonly<Record<string, string>>
  readonly overlay?: Readonly<Record<string, string | null>>
  readonly limits?: Partial<GuestJob['limits']>
  readonly id?: string
  readonly cwd?: string
  readonly host?: Partial<GuestHost>
}

export interface Answer extends Omit<GuestResult, 'stdout' | 'stderr' | 'changes'> {
  readonly stdout: string
  readonly stderr: string
  readonly changes: Readonly<Record<string, string | null>>
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Runs a job. Throws if the guest is busy. */
export async function run(wanted: Wanted, guest: Guest = child()): Promise<Answer> {
  const result = await ask(wanted, guest)
  if ('busy' in result) throw new Error('the child is busy')
  const { stdout, stderr, changes, ...rest } = result
  const texts = changes.map(({ path, bytes }) => [path, bytes && decode(bytes)])
  return { ...rest, stdout: decode(stdout), stderr: decode(stderr), changes: Object.fromEntries(texts) }
}

export async function ask(wanted: Wanted, guest: Guest): Promise<GuestResult | { readonly busy: true }> {
  const files = wanted.files ?? {}
  const job: GuestJob = {
    id: wanted.id ?? 'job',
    argv: wanted.argv ?? ['python3', '-'],
    cwd: wanted.cwd ?? WORK,
    env: wanted.env ?? { HOME: '/tmp' },
    stdin: encode(wanted.stdin ?? ''),
    files: Object.entries(files).map(([path, text]) => ({
      path,
      bytes: encode(text).length,
      writable: !path.startsWith('/mnt/skills'),
    })),
    overlay: Object.entries(wanted.overlay ?? {}).map(([path, text]) => ({
      path,
      bytes: text === null ? null : encode(text),
    })),
    limits: {
      wallMs: 20_000,
      steps: 20_000_000_000,
      outputBytes: 1_000_000,
      fileBytes: 16_777_216,
      files: 2_000,
      heapBytes: 67_108_864,
      ...wanted.limits,
    },
  }
  const host: GuestHost = {
    read: async (path) => (files[path] === undefined ? null : encode(files[path])),
    progress: () => {},
    ...wanted.host,
  }
  return guest.run(job, host)
}

/** Runs `code` as `python3 -c` does. */
export async function python(code: string, more: Wanted = {}, guest?: Guest): Promise<Answer> {
  return run({ argv: ['python3', '-c', code], ...more }, guest)
}
