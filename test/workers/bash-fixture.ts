// A real shell isolate for tests: jobs with files and limits, a host that records reads, and a fake for programs.

import { env } from 'cloudflare:workers'

import type {
  Guest,
  GuestHost,
  GuestJob,
  GuestLimits,
  GuestResult,
  HostPiece,
} from '../../src/sandbox/guest.ts'

/** The files of dist/runtimes, as served by test/vitest.workers.config.ts. */
interface Runtimes {
  fetch(url: string): Promise<Response>
}

async function runtime(): Promise<Record<string, { js: string } | { wasm: ArrayBuffer }>> {
  // The cast is safe: only the tests have this binding.
  const { RUNTIMES } = env as unknown as { readonly RUNTIMES: Runtimes }
  const { modules } = await (
    await RUNTIMES.fetch('http://runtimes/bash.json')
  ).json<{ modules: Readonly<Record<string, { readonly file: string }>> }>()
  const file = async (name: string): Promise<Response> =>
    RUNTIMES.fetch(`http://runtimes/${modules[name]?.file}`)
  return {
    'bash.js': { js: await (await file('bash.js')).text() },
    'jq.wasm': { wasm: await (await file('jq.wasm')).arrayBuffer() },
    'sqlite.wasm': { wasm: await (await file('sqlite.wasm')).arrayBuffer() },
  }
}

/** Far above what a test needs; a test of a limit sets it. */
const LIMITS: GuestLimits = {
  wallMs: 30_000,
  steps: 5e9,
  outputBytes: 1_048_576,
  fileBytes: 33_554_432,
  files: 2_000,
  heapBytes: 100_663_296,
}

export interface Reported {
  readonly exitCode: number
  readonly out: string
  readonly err: string
  readonly stopped: GuestResult['stopped']
  readonly spent: boolean
  readonly changes: Readonly<Record<string, string | null>>
  /** Files read from the host, and the notifications it received. */
  readonly read: readonly string[]
  readonly progress: readonly string[]
}

export interface ModelRequest {
  readonly files?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly limits?: Partial<GuestLimits>
  readonly exec?: GuestHost['exec']
  /** Sizes of files with the bytes of `patternOf`. */
  readonly patterns?: Readonly<Record<string, number>>
  readonly overlay?: GuestJob['overlay']
  readonly argv?: readonly string[]
}

/** The length of a line of the pattern, including its end. */
const LINE_BYTES = 20

/** A part of a text whose lines contain their own numbers from 0 on: `line 00000000000042`. */
export function patternOf(offset: number, length: number): Uint8Array {
  const first = Math.floor(offset / LINE_BYTES)
  const count = Math.ceil((offset + length) / LINE_BYTES) - first
  const lines = Array.from({ length: count }, (_, at) => `line ${String(first + at).padStart(14, '0')}\n`)
  const start = offset - first * LINE_BYTES
  return new TextEncoder().encode(lines.join('')).slice(start, start + length)
}

let jobs = 0

/** A new isolate. */
export function freshShell(): Guest {
  const worker = env.LOADER.get(`bash-test-${crypto.randomUUID()}`, async () => ({
    compatibilityDate: '2026-11-01',
    compatibilityFlags: ['nodejs_compat'],
    mainModule: 'bash.js',
    modules: await runtime(),
    env: {},
    globalOutbound: null,
  }))
  // The cast is safe: only the loaded code defines its exports.
  return worker.getEntrypoint() as unknown as Guest
}

let kept: Guest | null = null

/** Runs a script in the kept isolate; a used-up one is replaced by the next. */
export async function sh(script: string, requested: ModelRequest = {}): Promise<Reported> {
  const shell = kept ?? freshShell()
  kept = null
  const reported = await runIn(shell, script, requested)
  if (!reported.spent) kept = shell
  return reported
}

export async function runIn(
  shell: Guest,
  script: string,
  requested: ModelRequest = {},
  id?: string,
): Promise<Reported> {
  const files = requested.files ?? {}
  const read: string[] = []
  const progress: string[] = []
  const host: GuestHost = {
    read: async (path, range) => {
      read.push(range ? `${path} ${range.offset}+${range.length}` : path)
      if (range) return patternOf(range.offset, range.length)
      const text = files[path]
      return text === undefined ? null : new TextEncoder().encode(text)
    },
    progress: (text) => void progress.push(text),
    ...(requested.exec && { exec: requested.exec }),
  }
  const result = await shell.run(
    {
      id: id ?? `job-${++jobs}`,
      argv: requested.argv ?? ['bash', '-c', script],
      cwd: requested.cwd ?? '/mnt/user-data/workspace',
      env: requested.env ?? {},
      stdin: new TextEncoder().encode(requested.stdin ?? ''),
      files: [
        ...Object.entries(files).map(([path, text]) => ({
          path,
          bytes: new TextEncoder().encode(text).length,
          writable: !path.startsWith('/mnt/skills/'),
        })),
        ...Object.entries(requested.patterns ?? {}).map(([path, bytes]) => ({ path, bytes, writable: true })),
      ],
      overlay: requested.overlay ?? [],
      limits: { ...LIMITS, ...requested.limits },
    },
    host,
  )
  if ('busy' in result) throw new Error(`the isolate is busy: ${JSON.stringify(result)}`)
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  const textOf = ({ source, offset, bytes }: HostPiece): string =>
    text(new TextEncoder().encode(files[source]).slice(offset, offset + bytes))
  return {
    exitCode: result.exitCode,
    out: text(result.stdout),
    err: text(result.stderr),
    stopped: result.stopped,
    spent: 'spent' in result,
    changes: Object.fromEntries(
      result.changes.map(({ path, bytes, pieces = [] }) => [
        path,
        bytes && pieces.map(textOf).join('') + text(bytes),
      ]),
    ),
    read,
    progress,
  }
}
