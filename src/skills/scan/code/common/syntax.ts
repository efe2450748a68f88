// A parse tree in flat arrays, for both languages: nodes are numbers in text order. Knows no grammar.

import type { NodeSet, Tree } from '@lezer/common'

import type { Steps } from '../../../../lib/steps.ts'
import { SCAN_JUDGE_MAX } from './limits.ts'

/** -1: no node. */
export type SyntaxNode = number

export interface Syntax {
  readonly text: string
  readonly size: number
  name(node: SyntaxNode): string
  from(node: SyntaxNode): number
  to(node: SyntaxNode): number
  parent(node: SyntaxNode): SyntaxNode
  /** Direct children, in order. Counts as work. */
  kids(node: SyntaxNode): readonly SyntaxNode[]
  /** Counts work, in listed children. Throws a RangeError past SCAN_JUDGE_MAX: not all of the file was checked. */
  spend(work: number): void
  /** The counted work. */
  spent(): number
  /** True when `inner` is `outer` or a descendant of it. */
  within(inner: SyntaxNode, outer: SyntaxNode): boolean
  textOf(node: SyntaxNode): string
  /** Where the parser had to guess. */
  readonly errors: readonly SyntaxNode[]
}

const NODES_AT_ONCE = 4_096
// Microseconds that a node takes.
const NODE = 0.2

/** `set`: the types of the parser that made the tree. */
export function* flatten(tree: Tree, set: NodeSet, text: string): Steps<Syntax> {
  const types: number[] = []
  const froms: number[] = []
  const tos: number[] = []
  const parents: number[] = []
  const last: number[] = []
  const errors: SyntaxNode[] = []
  const cursor = tree.cursor()
  const open: SyntaxNode[] = []
  for (let walking = true; walking;) {
    const node = types.length
    if (node % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield NODES_AT_ONCE * NODE
    types.push(cursor.type.id)
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
      last[done] = types.length - 1
    }
  }
  for (const node of open) last[node] = types.length - 1

  let spent = 0
  const spend = (work: number): void => {
    spent += work
    if (spent > SCAN_JUDGE_MAX) throw new RangeError('too much work')
  }
  const name = (node: SyntaxNode): string => set.types[types[node] ?? -1]?.name ?? ''
  const parent = (node: SyntaxNode): SyntaxNode => parents[node] ?? -1
  return {
    text,
    size: types.length,
    errors,
    name,
    from: (node) => froms[node] ?? 0,
    to: (node) => tos[node] ?? 0,
    parent,
    kids(node) {
      const kids: SyntaxNode[] = []
      const end = last[node] ?? -1
      for (let kid = node + 1; kid <= end; kid = (last[kid] ?? kid) + 1) {
        spend(1)
        kids.push(kid)
      }
      return kids
    },
    spend,
    spent: () => spent,
    within: (inner, outer) => outer <= inner && inner <= (last[outer] ?? -1),
    textOf: (node) => text.slice(froms[node] ?? 0, tos[node] ?? 0),
  }
}
