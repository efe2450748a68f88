// What following names in one file has cost: bounded, and told to whoever runs the steps. For both languages.

import type { Node, Syntax } from './syntax.ts'

export interface Tally {
  /** One step of following names. Throws a RangeError past the bound: not all of the file was seen. */
  readonly spend: () => void
  /** Whether a walk that has come to this node should say what it has done. */
  isDue(node: Node): boolean
  /** Units of work since it was asked last. */
  take(): number
}

export function startTally(syntax: Syntax, steps: number): Tally {
  let spent = 0
  let told = 0
  const done = (): number => spent * STEP + syntax.listed() * CHILD
  return {
    spend() {
      if (++spent > steps) throw new RangeError('too many steps')
    },
    isDue: (node) => node % NODES_AT_ONCE === 0 || done() - told > TELL,
    take() {
      const since = done() - told
      told += since
      return since + NODES_AT_ONCE * NODE
    },
  }
}

// Measured, in microseconds: a step, a listed child, a node that is passed.
const STEP = 1
const CHILD = 0.02
const NODE = 0.2
const NODES_AT_ONCE = 2_048
const TELL = 4_000
