// Text to tree within bounds that are counted: steps, nodes, nesting, and what split stacks copy. Knows no grammar.

import type { PartialParse, Tree } from '@lezer/common'
import type { LRParser } from '@lezer/lr'

import type { Steps } from '../../../../lib/steps.ts'
import {
  SCAN_PARSE_COPIED,
  SCAN_PARSE_COPIED_PER_CHAR,
  SCAN_PARSE_DEPTH_MAX,
  SCAN_PARSE_EFFORT,
  SCAN_PARSE_EFFORT_PER_CHAR,
  SCAN_PARSE_NODES,
  SCAN_PARSE_NODES_MAX,
  SCAN_PARSE_NODES_PER_CHAR,
} from './limits.ts'
import { flatten } from './syntax.ts'
import type { Syntax } from './syntax.ts'

// Fields of the parser's own; were they renamed, the tests of hostile files would show it. Of each symbol that is open a
// stack has three numbers, of each finished node its buffer has four.
interface Stack {
  readonly stack: { readonly length: number }
  readonly buffer: { readonly length: number }
  readonly bufferBase: number
}

// Reaching into the parser is what the cast is for: nothing that it exports says how far it has come.
const stacksOf = (parse: PartialParse): readonly Stack[] => Reflect.get(parse, 'stacks') as readonly Stack[]
const depthOf = ({ stack }: Stack): number => stack.length / 3
const nodesOf = ({ bufferBase, buffer }: Stack): number => (bufferBase + buffer.length) / 4

/** Null: more than any honest file of this size has, or more than is kept in memory at once. */
export function* parseWith(parser: LRParser, text: string): Steps<Syntax | null> {
  const tree = yield* treeOf(parser, text)
  return tree && (yield* flatten(tree, parser.nodeSet, text))
}

function* treeOf(parser: LRParser, text: string): Steps<Tree | null> {
  const allowed = SCAN_PARSE_EFFORT + text.length * SCAN_PARSE_EFFORT_PER_CHAR
  const nodes = Math.min(SCAN_PARSE_NODES_MAX, SCAN_PARSE_NODES + text.length * SCAN_PARSE_NODES_PER_CHAR)
  let copies = SCAN_PARSE_COPIED + text.length * SCAN_PARSE_COPIED_PER_CHAR
  let effort = 0
  let told = 0
  try {
    const parse = parser.startParse(text)
    let before: readonly Stack[] = []
    for (let tree = parse.advance(); ; tree = parse.advance()) {
      if (tree) {
        yield effort - told + text.length * BUILD
        return tree
      }
      const stacks = stacksOf(parse)
      const depth = stacks.reduce((sum, stack) => sum + depthOf(stack), 0)
      const [first] = stacks
      if (first && (depthOf(first) > SCAN_PARSE_DEPTH_MAX || nodesOf(first) > nodes)) return null
      if (stacks.length > 1) copies -= copiedBy(stacks, before)
      before = stacks
      effort += STEP + depth / DEPTH_A_UNIT + (Reflect.get(parse, 'recovering') === 0 ? 0 : RECOVERY)
      if (effort > allowed || copies < 0) return null
      if (effort - told < TELL) continue
      yield effort - told
      told = effort
    }
  } catch {
    // The only known cause is a call stack that overflows on hostile nesting: the file is refused all the same.
    return null
  }
}

/** A stack that split off has a copy of all that is open, and is kept as long as what grew out of it. */
function copiedBy(stacks: readonly Stack[], before: readonly Stack[]): number {
  return stacks.reduce((sum, stack) => (before.includes(stack) ? sum : sum + depthOf(stack)), 0)
}

// What the parser was measured to take, in microseconds: a step, what deep stacks add to it, one that recovers from an
// error by trying many ways, and a character's share of making the tree at the end.
const STEP = 4
const DEPTH_A_UNIT = 50
const RECOVERY = 60
const BUILD = 0.1
const TELL = 2_000
