// Builds the result of a command for the model: its output, and notes about limits, files and errors.

import type { ToolResult } from '../agent/tool.ts'
import { defuseTags } from '../lib/framework-tags.ts'
import { BASH_STRETCH_MS, SANDBOX_WALL_MAX_MS } from '../limits/sandbox.ts'
import {
  BASH_TEXT_HEAP_SHARE,
  BASH_VARIABLES_HEAP_SHARE,
  NODE_HEAP_MAX_BYTES,
  PYTHON_HEAP_MAX_BYTES,
  SANDBOX_FILES_MAX,
  SANDBOX_HEAP_MAX_BYTES,
  SANDBOX_OUTPUT_MAX_BYTES,
  SANDBOX_PROGRAM_OUTPUT_MAX_BYTES,
  SANDBOX_PROGRAM_WRITE_MAX_BYTES,
  SANDBOX_WRITE_MAX_BYTES,
} from './limits.ts'
import type { GuestResult, StopReason } from './guest.ts'

const MIB = 1_048_576

interface Limits {
  readonly output: string
  readonly memory: string
  readonly written: string
}

const SHELL_LIMITS: Limits = {
  output: `${SANDBOX_OUTPUT_MAX_BYTES / MIB} MiB`,
  memory: `${(SANDBOX_HEAP_MAX_BYTES * BASH_TEXT_HEAP_SHARE) / MIB} MiB for one text, or ${Math.floor((SANDBOX_HEAP_MAX_BYTES * BASH_VARIABLES_HEAP_SHARE) / 1e6)} million characters for variables`,
  written: `${SANDBOX_WRITE_MAX_BYTES / 1e6} MB`,
}

function limitsOfProgram(name: string): Limits {
  const heapBytes = name === 'node' ? NODE_HEAP_MAX_BYTES : PYTHON_HEAP_MAX_BYTES
  return {
    output: `${SANDBOX_PROGRAM_OUTPUT_MAX_BYTES / MIB} MiB`,
    memory: `${heapBytes / MIB} MiB of memory, interpreter included`,
    written: `${SANDBOX_PROGRAM_WRITE_MAX_BYTES / MIB} MiB`,
  }
}

/** Says which limit was reached and what to do, as the end of a sentence. */
function limitMessage(stopped: StopReason, wallMs: number, limits: Limits): string {
  switch (stopped) {
    case 'time':
      return `after ${wallMs / 1000} s, its time limit. Do less in one call, or raise timeout_s (up to ${SANDBOX_WALL_MAX_MS / 1000})`
    case 'stall':
      return `because a single shell command ran for ${BASH_STRETCH_MS / 1000} s without a pause. Give it less input at a time (head, split), or use python3 or node`
    case 'refused':
      return 'by a command that does not support the given arguments. The last lines above suggest an alternative'
    case 'steps':
      return 'after too many steps. Check for an endless loop, or do less in one call'
    case 'output':
      return `after printing ${limits.output}. Write to a file below /mnt/user-data/workspace and read parts of it`
    case 'memory':
      return `because it needed more than ${limits.memory}. Process the data in parts`
    case 'files':
      return `after writing ${limits.written} or ${SANDBOX_FILES_MAX} files, or as much as the thread may store. Write less in one call`
    case 'cancelled':
      return 'because the run was stopped'
  }
}

/** Puts the output first, followed by notes from Satchel in a frame that no program can imitate. */
export function resultOf(
  result: GuestResult,
  wallMs: number,
  /** Sentences about files and programs. */
  remarks: readonly string[],
  isError: boolean,
): ToolResult {
  const stdout = decodeText(result.stdout)
  const stderr = decodeText(result.stderr)
  const separator = stdout === '' || stdout.endsWith('\n') ? '' : '\n'
  const content = stdout + (stderr === '' ? '' : `${separator}[stderr]\n${stderr}`)
  const notices = [
    ...(result.stopped === null
      ? []
      : [`Stopped ${limitMessage(result.stopped, wallMs, SHELL_LIMITS)}. No file was changed.`]),
    ...(result.stopped === null && result.exitCode !== 0 ? [`Exit code ${result.exitCode}.`] : []),
    ...remarks,
    ...(content === '' && result.stopped === null ? ['The command printed nothing.'] : []),
  ]
  const after = notices.length === 0 ? '' : `\n[${defuseTags(notices.join(' '))}]`
  return {
    content: content.trimEnd(),
    frame: { before: '', after: content === '' ? after.trimStart() : after },
    isError,
  }
}

/** The note for a program that was stopped while the command that started it continued. */
export function programMessage(name: string, stopped: StopReason, wallMs: number): string {
  return `${name} was stopped ${limitMessage(stopped, wallMs, limitsOfProgram(name))}.`
}

export function unavailableResult(why: string): ToolResult {
  return {
    content: `sandbox_unavailable: commands cannot run at the moment: ${why}. Continue with the file tools, or report that the script cannot run.`,
    isError: true,
    code: 'sandbox_unavailable',
  }
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
