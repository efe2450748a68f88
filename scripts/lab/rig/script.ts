// Runs commands of this project as processes, with this version of Node and without keys from the environment.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { ADMIN_KEY, ENCRYPTION_KEY, ID_SECRET, ROOT } from './keys.ts'

/** `typed` runs it through npm, as the leader of a process group. */
export function script(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { stdin = 'ignore', typed = false }: { readonly stdin?: 'ignore' | 'pipe'; readonly typed?: boolean } = {},
): ChildProcess {
  const [program, ...programArgs] = typed
    ? ['npm', file.replace(/\.ts$/, ''), '--']
    : [process.execPath, join(ROOT, 'scripts', file)]
  return spawn(program ?? '', [...programArgs, ...args], {
    cwd: ROOT,
    stdio: [stdin, 'pipe', 'pipe'],
    detached: typed,
    env: {
      ...process.env,
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_BASE_URL: '',
      MODEL: '',
      ADMIN_KEY,
      ID_SECRET,
      ENCRYPTION_KEY,
      SATCHEL_URL: '',
      SATCHEL_KEY: '',
      FORCE_COLOR: undefined,
      ...env,
    },
  })
}

/** Returns a function that returns the output so far, in order. */
export function outputOf(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return () => output
}

/** Runs it to its end. */
export async function finished(
  child: ChildProcess,
): Promise<{ readonly status: number | null; readonly out: string }> {
  const output = outputOf(child)
  await once(child, 'close')
  return { status: child.exitCode, out: output() }
}

/** Stops the process if it is still running, and kills it after `killAfterMs`. */
export async function ended(child: ChildProcess, stop: () => void, killAfterMs?: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const killTimer =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  stop()
  await exited
  clearTimeout(killTimer)
}
