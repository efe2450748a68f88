// Ends process substitutions when the command that uses them ends.

import type { Shell } from '../state/shell.ts'

export async function closeProcesses(shell: Shell, opened: number): Promise<void> {
  if (shell.processes.length === opened) return
  const ended = shell.processes.splice(opened)
  shell.descriptors = new Map(shell.descriptors)
  for (const { fd } of ended) shell.descriptors.delete(fd)
  for (const { end } of ended) await end()
}
