// Parses amounts such as `day.usd=5` from the command line, and formats them.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { isObject } from '../../src/lib/json-object.ts'

interface Tree {
  [name: string]: number | null | Tree
}

/** Names of users and hooks may contain dots, so only the text after them is split. */
const NAMED = /^(users|hooks)\.(.+?)(?:\.((?:day|month)(?:\.\w+)?))?$/

function pathOf(name: string): readonly string[] {
  const [, list, member, rest] = NAMED.exec(name) ?? []
  if (list === undefined || member === undefined) return name.split('.')
  return [list, member, ...(rest?.split('.') ?? [])]
}

/** Parses `day.usd=5` and `month.runs=100` to `{day: {usd: 5}, month: {runs: 100}}`. `none` becomes null. */
export function readAmounts(texts: readonly string[]): Result<object, string> {
  const tree: Tree = {}
  for (const given of texts) {
    const [, name = '', text = ''] = /^(.+)=([^=]*)$/.exec(given) ?? []
    const amount = text === 'none' ? null : Number(text)
    if (name === '' || text === '' || Number.isNaN(amount))
      return err(
        `${given} is not an amount. Write a name and a number, such as day.usd=5, or “none” to remove it.`,
      )
    const path = pathOf(name)
    let inner = tree
    for (const step of path.slice(0, -1)) inner = branchOf(inner, step)
    inner[path.at(-1) ?? ''] = amount
  }
  return ok(tree)
}

function branchOf(tree: Tree, name: string): Tree {
  const branch = Object.hasOwn(tree, name) ? tree[name] : null
  if (typeof branch === 'object' && branch !== null) return branch
  const made: Tree = {}
  tree[name] = made
  return made
}

/** The inverse of readAmounts. */
export function writeAmounts(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    isObject(inner)
      ? writeAmounts(inner, `${prefix}${name}.`)
      : [`${prefix}${name}=${typeof inner === 'number' || typeof inner === 'string' ? inner : 'none'}`],
  )
}
