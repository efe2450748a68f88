// A guest for tests of the sandbox's host: real isolates of the loader in which each line of a command is one scripted
// step. It replaces bash, python3 and node.

import { env } from 'cloudflare:workers'

import type { ToolCall } from '../../src/agent/tool.ts'
import { sha256Hex } from '../../src/lib/bytes.ts'
import type { Deadlines } from '../../src/lib/deadlines.ts'
import { ok } from '../../src/lib/result.ts'
import { commandQueue } from '../../src/sandbox/command-queue.ts'
import { Isolates } from '../../src/sandbox/isolates.ts'
import { Runtimes } from '../../src/sandbox/runtimes.ts'
import type { FileSource } from '../../src/sandbox/file-source.ts'
import type { SandboxParts } from '../../src/sandbox/sandbox.ts'

const GUEST = `import { WorkerEntrypoint } from 'cloudflare:workers'
const text = (bytes) => new TextDecoder().decode(bytes)
const bytes = (text) => new TextEncoder().encode(text)
let born = null
let jobs = 0
let current = null
let spent = false
export default class extends WorkerEntrypoint {
  async run(job, host) {
    if (spent) return { busy: true, spent: true }
    if (current) return { busy: true }
    current = { id: job.id, cancelled: false }
    jobs++
    born ??= crypto.randomUUID()
    try {
      return await play(job, host, current)
    } finally {
      current = null
    }
  }
  async cancel(id) {
    if (current?.id === id) current.cancelled = true
  }
  async ping() {}
}
async function play(job, host, own) {
  const said = { exitCode: 0, stdout: '', stderr: '', changes: new Map(job.overlay.map((c) => [c.path, c.bytes])), stopped: null }
  const script = job.argv[0] === 'bash' ? job.argv[2] : job.argv.slice(1).join(' ')
  for (const line of script.split('\\n')) {
    const [verb, path = '', ...rest] = line.trim().split(' ')
    const words = rest.join(' ')
    if (verb === 'print') said.stdout += [path, ...rest].join(' ') + '\\n'
    if (verb === 'complain') said.stderr += [path, ...rest].join(' ') + '\\n'
    if (verb === 'flood') said.stdout += 'x'.repeat(Number(path))
    if (verb === 'tell') await host.progress([path, ...rest].join(' '))
    if (verb === 'write') said.changes.set(path, bytes(words))
    if (verb === 'fill') said.changes.set(path, new Uint8Array(Number(words)).fill(120))
    if (verb === 'remove') said.changes.set(path, null)
    if (verb === 'exit') said.exitCode = Number(path)
    if (verb === 'stop') said.stopped = path
    if (verb === 'break') throw new Error('a fault of the child')
    if (verb === 'spend') spent = true
    if (verb === 'who') said.stdout += born + ' ' + jobs + '\\n'
    if (verb === 'files') said.stdout += job.files.map((f) => f.path + ' ' + f.bytes + (f.writable ? ' w' : '')).join('\\n') + '\\n'
    if (verb === 'limits') said.stdout += JSON.stringify(job.limits) + '\\n'
    if (verb === 'env') said.stdout += JSON.stringify({ ...job.env, cwd: job.cwd, argv: job.argv }) + '\\n'
    if (verb === 'cat') {
      const read = await host.read(path).then((found) => found && text(found), (error) => error.message)
      said.stdout += (read ?? 'no such file') + '\\n'
    }
    if (verb === 'wait') await new Promise((resolve) => setTimeout(resolve, Number(path)))
    if (verb === 'hang') while (!own.cancelled) await new Promise((resolve) => setTimeout(resolve, 2))
    if (verb === 'hang') said.stopped = 'cancelled'
    if (verb === 'python3' || verb === 'node' || verb === 'ruby') {
      const overlay = [...said.changes].map(([path, bytes]) => ({ path, bytes }))
      const ran = await host.exec({ argv: [verb, path, ...rest], cwd: job.cwd, env: {}, stdin: bytes(''), overlay })
      said.stdout += text(ran.stdout) + text(ran.stderr)
      said.exitCode = ran.exitCode
      if (!ran.stopped) for (const change of ran.changes) said.changes.set(change.path, change.bytes)
    }
  }
  const changes = [...said.changes].map(([path, bytes]) => ({ path, bytes }))
  return { ...said, stdout: bytes(said.stdout), stderr: bytes(said.stderr), changes: said.stopped ? [] : changes, steps: 1, ...(spent && { spent }) }
}
`

/** The files of a build with these runtimes, all of them the scripted guest. `salt` makes the code different. */
export function built(names: readonly string[], salt = ''): FileSource {
  return {
    async fetch(url) {
      const file = new URL(url).pathname.replace('/runtimes/sandbox/', '')
      if (file === 'guest.js') return new Response(GUEST)
      if (!names.includes(file.replace('.json', ''))) return new Response(null, { status: 404 })
      const sha256 = await sha256Hex(GUEST + salt)
      return Response.json({ main: 'm.js', modules: { 'm.js': { type: 'js', file: 'guest.js', sha256 } } })
    },
  }
}

export const FREE: Deadlines = { guard: async (_, __, work) => ok(await work()) }

/** The parts of a sandbox over the real loader. Each salt has isolates of its own, so that tests do not share them. */
export function scripted(salt: string, more: Partial<SandboxParts> = {}): SandboxParts {
  const runtimes = new Runtimes([built(['bash', 'python', 'node'], salt)])
  const isolates = new Isolates(env.LOADER, runtimes, Date.now)
  return { isolates, deadlines: FREE, queue: commandQueue(Date.now), now: Date.now, ...more }
}

/** A call as the agent loop makes it, and its reported progress. */
export function call(
  signal = new AbortController().signal,
  key = 'r:t',
): ToolCall & { readonly reported: string[] } {
  const reported: string[] = []
  return {
    runId: 'r',
    toolUseId: 't',
    idempotencyKey: key,
    signal,
    progress: (text) => void reported.push(text),
    reported,
  }
}
