// A Worker that runs one command as the product does: a shell with the commands python3 and node, through
// src/sandbox/run.ts. Started by scripts/lab/parity/run.ts.

import { Isolates } from '../../../src/sandbox/isolates.ts'
import type { Loader } from '../../../src/sandbox/loader.ts'
import { runShell, type StartedProgram } from '../../../src/sandbox/run.ts'
import { Runtimes } from '../../../src/sandbox/runtimes.ts'
import type { FileSource } from '../../../src/sandbox/file-source.ts'
import type { CommandTree } from '../../../src/sandbox/tree.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'

interface Env {
  readonly LOADER: Loader
  readonly RUNTIMES: FileSource
}

/** A command and its files, with bytes as base64. */
export interface CommandAsk {
  readonly command: string
  readonly wallMs: number
  readonly files: Readonly<Record<string, string>>
}

export interface CommandAnswer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly stopped: string | null
}

let isolates: Isolates | null = null
let calls = 0

async function run(env: Env, { command, wallMs, files }: CommandAsk): Promise<CommandAnswer> {
  isolates ??= new Isolates(env.LOADER, new Runtimes([env.RUNTIMES]), Date.now)
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, decodeBase64(text)]))
  const tree: CommandTree = {
    files: [...bytes].map(([path, { length }]) => ({
      path,
      bytes: length,
      writable: !path.startsWith('/mnt/skills/'),
    })),
    digest: '',
    sha256Before: () => null,
    read: async (path, range) => {
      const all = bytes.get(path)
      return (range ? all?.slice(range.offset, range.offset + range.length) : all) ?? null
    },
    keep: async (part) => {
      const source = `kept:${bytes.size}`
      bytes.set(source, part)
      return { source, offset: 0, bytes: part.length }
    },
    release: async () => {},
    notes: () => [],
  }
  const call = {
    runId: 'parity',
    toolUseId: String(calls),
    idempotencyKey: `parity:${calls++}`,
    signal: new AbortController().signal,
    progress: () => {},
  }
  const programs: StartedProgram[] = []
  const outcome = await runShell(
    { isolates, now: Date.now },
    'parity/thread',
    command,
    wallMs,
    tree,
    call,
    programs,
  )
  if (!outcome.ok) throw new Error(outcome.error)
  const { exitCode, stdout, stderr, stopped } = outcome.value
  return {
    exitCode,
    stdout: encodeBase64(stdout),
    stderr: encodeBase64(stderr),
    stopped: stopped ?? programs.find((program) => program.stopped !== null)?.stopped ?? null,
  }
}

// oxlint-disable-next-line import/no-default-export -- the platform expects the Worker there
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      // The cast is safe: scripts/lab/parity/run.ts sends this message.
      return Response.json(await run(env, (await request.json()) as CommandAsk))
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 })
    }
  },
}
