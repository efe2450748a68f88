// The commands that the shell has of its own, by name. Others are the interpreter's.

import type { Command } from './command.ts'
import { cat } from './text/cat.ts'

export const COMMANDS: Readonly<Record<string, Command>> = {
  cat,
}
