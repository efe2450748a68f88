// What the guarded bundle exports (built by scripts/runtimes/bash.ts): the shell and its commands, whose steps are
// counted, and the counter.

import type { Command } from '../commands/command.ts'

export interface StepControls {
  /**
   * Starts to count. Calls `slow` after `first` steps, and then after as many steps as `slow` returned. If `slow`
   * throws, it is called again at each step. After `due()`, the next asynchronous loop awaits `rest`.
   */
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
  /** The number of steps until `slow` is called. */
  left(): number
  due(): void
}

export const stepControls: StepControls
export const OWN_COMMANDS: Readonly<Record<string, Command>>
export { runScript } from './language.ts'
