// Assignments on the command line: `-v name=value`, and `name=value` between the files.

import { Failed } from '../command.ts'
import { unescaped } from './escapes.ts'
import type { Machine } from './machine.ts'
import { AwkArray, Input } from './values.ts'

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/

/** Performs the assignment `name=value`. Returns false if the text is not an assignment. */
export function assign(machine: Machine, text: string, where: string): boolean {
  const [, name, value] = ASSIGNMENT.exec(text) ?? []
  if (name === undefined || value === undefined) {
    if (where === '-v') throw new Failed(`fatal: \`${text}' argument to \`-v' not in \`var=value' form`, 2)
    return false
  }
  const cell = machine.cell(name)
  if (cell.value instanceof AwkArray) throw new Failed(`fatal: cannot use array \`${name}' as a variable`, 2)
  cell.value = new Input(unescaped(value))
  return true
}
