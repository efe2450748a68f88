// A parse tree in flat arrays. Nodes are numbered in text order. Works with any grammar.

import type { NodeSet, Tree } from '@lezer/common'

import type { Steps } from '../../../../lib/steps.ts'
import { SCAN_JUDGE_MAX } from './limits.ts'

/** The number of a node; -1 for no node. */
export type SyntaxNode = number

export interface Syntax {
  readonly text: string
  readonly size: number
  name(node: SyntaxNode): string
  from(node: SyntaxNode): number
  to(node: SyntaxNode): number
  parent(node: SyntaxNode): SyntaxNode
  /** Direct children in order. Listing them counts as work. */
  kids(node: SyntaxNode): readonly SyntaxNode[]
  /** Adds work; the unit is listing one child. Throws a RangeError beyond SCAN_JUDGE_MAX. */
  spend(work: number): void
  /** The work so far. */
  spent(): number
  /** True when `inner` is `outer` or a descendant of it. */
  within(inner: SyntaxNode, outer: SyntaxNode): boolean
  textOf(node: SyntaxNode): string
  /** Nodes at which the parser had to guess. */
  readonly errors: readonly SyntaxNode[]
}

const NODES_AT_ONCE = 4_096
/** Cost of a node, in microseconds. */
const NODE = 0.2

/** Converts a tree. `set` has the node types of the parser that built it. */
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
