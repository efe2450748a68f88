// Runs the commands of a thread in isolates, and turns their output and changes into the result of the tool
// call.

import type { ToolCall, ToolResult } from '../agent/tool.ts'
import type { FileAccess } from '../files/access.ts'
import { DATA_ROOT } from '../files/path.ts'
import { sha256Hex } from '../lib/bytes.ts'
import type { Deadlines } from '../lib/deadlines.ts'
import type { Result } from '../lib/result.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { changesOf, changeSummary } from './changes.ts'
import type { CommandQueue } from './command-queue.ts'
import type { GuestResult } from './guest.ts'
import type { InstalledPackages } from './installed-packages.ts'
import type { Isolates } from './isolates.ts'
import { runShell, type StartedProgram } from './run.ts'
import { treeOf, type CommandTree } from './tree.ts'
import { programMessage, resultOf, unavailableResult } from './result-notes.ts'
import { SANDBOX_GRACE_MS } from '../limits/sandbox.ts'

interface Command {
  readonly command: string
  /** The time limit in milliseconds. */
  readonly wallMs: number
  readonly files: FileAccess
  readonly skills: SkillAccess
}

/** The sandbox of one thread. */
export interface Sandbox {
  /** Runs a command. Never rejects because of a guest, and changes nothing if the call is stopped. */
  run(command: Command, call: ToolCall): Promise<ToolResult>
  /** Why no command can run, or null if commands can run. */
  unavailableReason(): Promise<string | null>
  /** The imports that scripts can use in addition to the standard library. */
  installed(): Promise<InstalledPackages>
}

export interface SandboxParts {
  readonly isolates: Isolates
  readonly deadlines: Deadlines
  /** The queue shared by all threads of the isolate. */
  readonly queue: CommandQueue
  readonly now: () => number
}

export function sandboxOf(parts: SandboxParts, workspace: string, threadId: string): Sandbox {
  return {
    unavailableReason: () => parts.isolates.unavailableReason('bash'),
    installed: () => parts.isolates.installed(),
    async run(command, call) {
      const done = await parts.queue(call, () => runInSlot(parts, `${workspace}/${threadId}`, command, call))
      return done.ok ? done.value : { content: BUSY_MESSAGE, isError: true }
    },
  }
}

const BUSY_MESSAGE =
  'The command was not run, because too many commands are running. No file was changed. Try again in the next step.'

async function runInSlot(
  parts: SandboxParts,
  thread: string,
  command: Command,
  call: ToolCall,
): Promise<ToolResult> {
  const tree = await treeOf(command.command, command.files, command.skills)
  const programs: StartedProgram[] = []
  try {
    const ran = await guarded(parts, thread, command, tree, call, programs)
    return 'result' in ran ? await resultWithChanges(ran.result, command, tree, call, programs) : ran
  } finally {
    await tree.release()
  }
}

async function guarded(
  { isolates, deadlines, now }: SandboxParts,
  thread: string,
  { command, wallMs }: Command,
  tree: CommandTree,
  call: ToolCall,
  programs: StartedProgram[],
): Promise<{ readonly result: GuestResult } | ToolResult> {
  // The key is a digest, so that it does not reveal the command or its files.
  const key = `bash ${await sha256Hex(`${command}\0${tree.digest}`)}`
  let guarded: Result<Result<GuestResult, string>, unknown>
  try {
    guarded = await deadlines.guard(key, wallMs + SANDBOX_GRACE_MS, () =>
      runShell({ isolates, now }, thread, command, wallMs, tree, call, programs),
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      content: `The sandbox failed: ${why}. No file was changed. Try once more with less work; if it fails again, continue without it.`,
      isError: true,
    }
  }
  if (!guarded.ok)
    return {
      content:
        'The command was not run, because the same command with the same files blocked the server before and was killed. No file was changed. Fix its endless loop, or use a different approach.',
      isError: true,
    }
  return guarded.value.ok ? { result: guarded.value.value } : unavailableResult(guarded.value.error)
}

async function resultWithChanges(
  result: GuestResult,
  { wallMs, files }: Command,
  tree: CommandTree,
  call: ToolCall,
  programs: readonly StartedProgram[],
): Promise<ToolResult> {
  const remarks = programs.flatMap(({ name, stopped }) =>
    stopped === null || stopped === result.stopped ? [] : [programMessage(name, stopped, wallMs)],
  )
  const notes = tree.notes()
  if (result.stopped !== null || call.signal.aborted)
    return {
      ...resultOf({ ...result, stopped: result.stopped ?? 'cancelled' }, wallMs, remarks, true),
      notes,
    }
  const changes = await changesOf(result.changes, tree, files)
  if (!changes.ok) {
    const discardedNote = `No file below ${DATA_ROOT} was changed: ${changes.error.replace(/\.$/, '')}.`
    return { ...resultOf(result, wallMs, [...remarks, discardedNote], true), notes }
  }
  const summary = changeSummary(changes.value)
  return {
    ...resultOf(result, wallMs, summary === '' ? remarks : [...remarks, summary], false),
    notes,
    changes: changes.value,
  }
}
