// What the model is told of a command that ran, or did not.

import type { ToolResult } from '../agent/tool.ts'
import { defuseTags } from '../lib/framework-tags.ts'
import { BASH_STRETCH_MS, SANDBOX_WALL_MAX_MS } from '../limits/sandbox.ts'
import { SANDBOX_FILES_MAX, SANDBOX_HEAP_BYTES, SANDBOX_OUTPUT_BYTES, SANDBOX_WRITE_BYTES } from './limits.ts'
import type { GuestResult, Stopped } from './guest.ts'

const MIB = 1_048_576

/** Which limit it was, and what to do. */
function limitMessage(stopped: Stopped, wallMs: number): string {
  switch (stopped) {
    case 'time':
      return `after ${wallMs / 1000} s, its time. Do less in one call, or give more with timeout_s (up to ${SANDBOX_WALL_MAX_MS / 1000})`
    case 'stall':
      return `because one command of the shell let nobody else in for ${BASH_STRETCH_MS / 1000} s. Give it less at once (head, split), or do it in python3 or node`
    case 'steps':
      return 'after too many steps, as an endless loop makes. Look for one, or do less in one call'
    case 'output':
      return `when it had printed ${SANDBOX_OUTPUT_BYTES / MIB} MiB. Write to a file below /mnt/user-data/workspace and look at its parts`
    case 'memory':
      return `when it wanted more than ${SANDBOX_HEAP_BYTES / MIB} MiB of memory. Go through the data in parts`
    case 'files':
      return `when it had written ${SANDBOX_WRITE_BYTES / MIB} MiB or ${SANDBOX_FILES_MAX} files. Write less in one call`
    case 'cancelled':
      return 'because the run was stopped'
  }
}

/** Output first; our own words behind it, where nothing that a program prints can be taken for them. */
export function resultOf(
  result: GuestResult,
  wallMs: number,
  /** Sentences about files and programs. */
  remarks: readonly string[],
  isError: boolean,
): ToolResult {
  const stdout = decoded(result.stdout)
  const stderr = decoded(result.stderr)
  const gap = stdout === '' || stdout.endsWith('\n') ? '' : '\n'
  const content = stdout + (stderr === '' ? '' : `${gap}[stderr]\n${stderr}`)
  const said = [
    ...(result.stopped === null
      ? []
      : [`Stopped ${limitMessage(result.stopped, wallMs)}. No file was changed.`]),
    ...(result.stopped === null && result.exitCode !== 0 ? [`Exit code ${result.exitCode}.`] : []),
    ...remarks,
    ...(content === '' && result.stopped === null ? ['It printed nothing.'] : []),
  ]
  const after = said.length === 0 ? '' : `\n[${defuseTags(said.join(' '))}]`
  return {
    content: content.trimEnd(),
    frame: { before: '', after: content === '' ? after.trimStart() : after },
    isError,
  }
}

/** Of a program inside of a command that was stopped, while the command went on. */
export function programMessage(name: string, stopped: Stopped, wallMs: number): string {
  return `${name} was stopped ${limitMessage(stopped, wallMs)}.`
}

export function unavailable(why: string): ToolResult {
  return {
    content: `sandbox_unavailable: commands cannot run here now: ${why}. Go on with the tools for files, or say that the script cannot run.`,
    isError: true,
    code: 'sandbox_unavailable',
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
