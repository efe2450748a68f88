// Runs the commands registered with `trap`.

import { ExitFlow, LineFlow, ReturnFlow } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import type { Execution } from './execution.ts'

/** Runs the command of an event. It does not change the exit status. */
export async function runEvent(execution: Execution, shell: Shell, event: string): Promise<void> {
  const command = shell.traps.get(event)
  if (!command || shell.traps.running.has(event)) return
  const hidden = /^(?:ERR|DEBUG)$/.test(event) && shell.frames.some(({ kind }) => kind === 'function')
  if (hidden && !shell.options.isOn(event === 'ERR' ? 'errtrace' : 'functrace')) return
  const { status, pipeStatus, line, command: source, conditions } = shell
  shell.traps.running.add(event)
  try {
    shell.conditions = 0
    await execution.text(shell, command, line)
  } catch (error) {
    if (!(error instanceof ReturnFlow) || shell.frames.length > 0) throw error
  } finally {
    shell.traps.running.delete(event)
    Object.assign(shell, { status, pipeStatus, line, command: source, conditions })
  }
}

/** Called before a command runs: sets `BASH_COMMAND`, and runs the DEBUG trap. */
export async function announce(execution: Execution, shell: Shell, text: () => string): Promise<void> {
  if (shell.traps.running.size === 0) shell.command = text
  await runEvent(execution, shell, 'DEBUG')
}

/** Runs the RETURN trap: when a function that set it ends or, with `set -T`, when any function ends. */
export async function runReturnTrap(execution: Execution, shell: Shell): Promise<void> {
  await runEvent(execution, shell, 'RETURN')
}

/** Runs the EXIT trap when a shell ends. The trap's command can set another status with `exit`. */
export async function runExitTrap(execution: Execution, shell: Shell): Promise<void> {
  const command = shell.traps.get('EXIT')
  if (!command || shell.traps.running.has('EXIT')) return
  shell.traps.running.add('EXIT')
  const { status } = shell
  shell.conditions = 0
  shell.loops = 0
  shell.frames = []
  try {
    await execution.text(shell, command, shell.line)
    shell.status = status
  } catch (error) {
    if (error instanceof ExitFlow) shell.status = error.status
    else if (error instanceof LineFlow || error instanceof ReturnFlow) shell.status = status
    else throw error
  }
}
