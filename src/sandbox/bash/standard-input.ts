// The standard input of just-bash's commands.

import type { CommandContext } from './shell.js'

/** One character per byte. */
export function stdinOf({ stdin }: CommandContext): string {
  // The cast: just-bash marks such strings with a type of its own; at run time they are strings.
  return (stdin ?? '') as unknown as string
}
