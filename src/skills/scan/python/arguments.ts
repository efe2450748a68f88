// The arguments of one Python call, in order and by name.

import type { Node, Syntax } from '../syntax.ts'

export interface Arguments {
  readonly positional: readonly Node[]
  readonly named: ReadonlyMap<string, Node>
  /** `*args`: more positional ones than stand here. */
  readonly starred: boolean
  /** `**kwargs`: named ones that do not stand here. */
  readonly spread: boolean
}

export function argumentsOf(syntax: Syntax, call: Node): Arguments {
  const list = syntax.kids(call).find((kid) => syntax.name(kid) === 'ArgList')
  const positional: Node[] = []
  const named = new Map<string, Node>()
  let starred = false
  let spread = false
  const parts = list === undefined ? [] : syntax.kids(list).filter((kid) => syntax.name(kid) !== 'Comment')
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? -1
    const name = syntax.name(part)
    if (name === '(' || name === ')' || name === ',') continue
    const next = parts[index + 1]
    if (name === '*' || name === '**') {
      if (name === '*') starred = true
      else spread = true
      index++
    } else if (next !== undefined && syntax.name(next) === 'AssignOp' && syntax.textOf(next) === '=') {
      const value = parts[index + 2]
      if (value !== undefined) named.set(syntax.textOf(part).normalize('NFKC'), value)
      index += 2
    } else positional.push(part)
  }
  return { positional, named, starred, spread }
}
