// The shell blocks of a document, as a reader pastes them into a terminal.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The sh blocks of a Markdown text. */
export function atomicBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}

/** Runs `text` in `cwd` and stops at the first command that fails. `out` is everything that was printed. */
export async function bash(
  text: string,
  cwd: string,
): Promise<{ readonly status: number | null; readonly out: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, out }
}
