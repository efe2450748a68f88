// A parse tree as flat arrays, for both languages: nodes are numbers in the order of the text. Knows no grammar.

import type { PartialParse, Tree } from '@lezer/common'
import type { LRParser } from '@lezer/lr'

import { SCAN_PARSE_EFFORT, SCAN_PARSE_EFFORT_PER_CHAR } from '../../limits.ts'

/** -1: there is none. */
export type Node = number

export interface Syntax {
  readonly text: string
  readonly size: number
  name(node: Node): string
  from(node: Node): number
  to(node: Node): number
  parent(node: Node): Node
  /** Direct children, in order. */
  kids(node: Node): readonly Node[]
  /** The node at or above `node` that has one of these names, or -1. */
  above(node: Node, names: ReadonlySet<string>): Node
  /** True when `inner` is `outer` or lies below it. */
  within(inner: Node, outer: Node): boolean
  textOf(node: Node): string
  /** Where the parser had to guess. */
  readonly errors: readonly Node[]
}

/** Null when parsing takes more work than any honest file of this size needs. */
export function parseWith(parser: LRParser, text: string): Syntax | null {
  let effort = SCAN_PARSE_EFFORT + text.length * SCAN_PARSE_EFFORT_PER_CHAR
  try {
    const parse = parser.startParse(text)
    for (let tree = parse.advance(); effort > 0; tree = parse.advance()) {
      if (tree) return flatten(tree, text)
      effort -= effortOf(parse)
    }
  } catch {
    // The only known cause is a call stack that overflows on hostile nesting: the file is refused all the same.
  }
  return null
}

// A step in deep nesting copies stacks, one that recovers from an error tries many: both cost far more than a step.
// The two fields are the parser's own; were they renamed, the test of hostile files would show it.
function effortOf(parse: PartialParse): number {
  const stacks: unknown = Reflect.get(parse, 'stacks')
  const recovering: unknown = Reflect.get(parse, 'recovering')
  const first: unknown = Array.isArray(stacks) ? stacks[0] : undefined
  const stack: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'stack') : undefined
  const depth = Array.isArray(stack) ? stack.length : 0
  return 1 + depth / 150 + (recovering === 0 ? 0 : 60)
}

function flatten(tree: Tree, text: string): Syntax {
  const names: string[] = []
  const froms: number[] = []
  const tos: number[] = []
  const parents: Node[] = []
  const last: Node[] = []
  const errors: Node[] = []
  const cursor = tree.cursor()
  const open: Node[] = []
  for (let walking = true; walking;) {
    const node = names.length
    names.push(cursor.name)
    froms.push(cursor.from)
    tos.push(cursor.to)
    parents.push(open.at(-1) ?? -1)
    last.push(node)
    if (cursor.type.isError) errors.push(node)
    if (cursor.firstChild()) {
      open.push(node)
      continue
    }
    while (!cursor.nextSibling()) {
      const done = open.pop()
      if (done === undefined || !cursor.parent()) {
        walking = false
        break
      }
      last[done] = names.length - 1
    }
  }
  for (const node of open) last[node] = names.length - 1

  const parent = (node: Node): Node => parents[node] ?? -1
  return {
    text,
    size: names.length,
    errors,
    name: (node) => names[node] ?? '',
    from: (node) => froms[node] ?? 0,
    to: (node) => tos[node] ?? 0,
    parent,
    kids(node) {
      const kids: Node[] = []
      const end = last[node] ?? -1
      for (let kid = node + 1; kid <= end; kid = (last[kid] ?? kid) + 1) kids.push(kid)
      return kids
    },
    above(node, wanted) {
      let at = node
      while (at >= 0 && !wanted.has(names[at] ?? '')) at = parent(at)
      return at
    },
    within: (inner, outer) => outer <= inner && inner <= (last[outer] ?? -1),
    textOf: (node) => text.slice(froms[node] ?? 0, tos[node] ?? 0),
  }
}
