// Resolves the labels of a script.

import { Failed } from '../command.ts'
import type { SedCommand } from './script.ts'

/** Sets the targets of all jumps. Throws a `Failed` if a label is missing or defined twice. */
export function resolveLabels(commands: readonly SedCommand[]): void {
  const labels = new Map<string, number>()
  commands.forEach(({ name, text }, index) => {
    if (name !== ':') return
    if (labels.has(text)) throw new Failed(`-e expression #1, char 0: duplicate label \`${text}'`)
    labels.set(text, index)
  })
  for (const command of commands) {
    if (!'btT'.includes(command.name) || command.text === '') continue
    const target = labels.get(command.text)
    if (target === undefined) throw new Failed(`can't find label for jump to \`${command.text}'`)
    command.target = target
  }
}
