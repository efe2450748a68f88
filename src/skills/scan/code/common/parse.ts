// Parses text into a tree within limits on steps, nodes, depth, and copies of split stacks. Works with any
// grammar.

import type { PartialParse, Tree } from '@lezer/common'
import type { LRParser } from '@lezer/lr'

import type { Steps } from '../../../../lib/steps.ts'
import {
  SCAN_PARSE_BASE_COPIES,
  SCAN_PARSE_COPIES_PER_CHAR,
  SCAN_PARSE_DEPTH_MAX,
  SCAN_PARSE_BASE_US,
  SCAN_PARSE_US_PER_CHAR,
  SCAN_PARSE_BASE_NODES,
  SCAN_PARSE_NODES_MAX,
  SCAN_PARSE_NODES_PER_CHAR,
} from './limits.ts'
import { flatten } from './syntax.ts'
import type { Syntax } from './syntax.ts'

// Internal fields of the parser. If a new version renames them, the tests of hostile files fail. A stack has
// three numbers for each open symbol, and its buffer has four for each finished node.
interface Stack {
  readonly stack: { readonly length: number }
  readonly buffer: { readonly length: number }
  readonly bufferBase: number
}

// The cast is needed because the parser does not export its progress.
const stacksOf = (parse: PartialParse): readonly Stack[] => Reflect.get(parse, 'stacks') as readonly Stack[]
const depthOf = ({ stack }: Stack): number => stack.length / 3
const nodesOf = ({ bufferBase, buffer }: Stack): number => (bufferBase + buffer.length) / 4

/** Parses a text; null if that exceeds the limits on time or memory. */
export function* parseWith(parser: LRParser, text: string): Steps<Syntax | null> {
  const tree = yield* treeOf(parser, text)
  return tree && (yield* flatten(tree, parser.nodeSet, text))
}

function* treeOf(parser: LRParser, text: string): Steps<Tree | null> {
  const allowedUs = SCAN_PARSE_BASE_US + text.length * SCAN_PARSE_US_PER_CHAR
  const nodesMax = Math.min(
    SCAN_PARSE_NODES_MAX,
    SCAN_PARSE_BASE_NODES + text.length * SCAN_PARSE_NODES_PER_CHAR,
  )
  let copiesLeft = SCAN_PARSE_BASE_COPIES + text.length * SCAN_PARSE_COPIES_PER_CHAR
  let spentUs = 0
  let reported = 0
  try {
    const parse = parser.startParse(text)
    let previousStacks: readonly Stack[] = []
    for (let tree = parse.advance(); ; tree = parse.advance()) {
      if (tree) {
        yield spentUs - reported + text.length * BUILD_CHAR_US
        return tree
      }
      const stacks = stacksOf(parse)
      const depth = stacks.reduce((sum, stack) => sum + depthOf(stack), 0)
      const [first] = stacks
      if (first && (depthOf(first) > SCAN_PARSE_DEPTH_MAX || nodesOf(first) > nodesMax)) return null
      if (stacks.length > 1) copiesLeft -= copiedBy(stacks, previousStacks)
      previousStacks = stacks
      spentUs += STEP_US + depth / SYMBOLS_PER_US + (Reflect.get(parse, 'recovering') === 0 ? 0 : RECOVERY_US)
      if (spentUs > allowedUs || copiesLeft < 0) return null
      if (spentUs - reported < YIELD_US) continue
      yield spentUs - reported
      reported = spentUs
    }
  } catch {
    // The only known cause is a stack overflow caused by hostile nesting, which exceeds the limits anyway.
    return null
  }
}

/** How many symbols were copied since the last step: a new stack copies all open symbols. */
function copiedBy(stacks: readonly Stack[], previousStacks: readonly Stack[]): number {
  return stacks.reduce((sum, stack) => (previousStacks.includes(stack) ? sum : sum + depthOf(stack)), 0)
}

// Measured costs of the parser in microseconds: per step, per step of error recovery, and per character for
// building the tree. Deep stacks cost one more for every 50 open symbols.
const STEP_US = 4
const SYMBOLS_PER_US = 50
const RECOVERY_US = 60
const BUILD_CHAR_US = 0.1
const YIELD_US = 2_000
