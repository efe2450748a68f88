// Reads every binding out of a Python tree: imports, assignments, definitions, parameters, targets of loops.

import type { Steps } from '../../../lib/steps.ts'
import { createBindings } from '../bindings.ts'
import type { Bindings } from '../bindings.ts'
import type { Node, Syntax } from '../syntax.ts'
import type { Tally } from '../tally.ts'

export const SCOPES = new Set(['Script', 'FunctionDefinition', 'LambdaExpression', 'ClassDefinition'])
const LOOPS = new Set(['ForStatement', 'WhileStatement'])
const BLOCKS = new Set(['Script', 'Body', 'LambdaExpression', 'ConditionalExpression', 'BinaryExpression'])
const TARGETS = new Set(['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression'])

export interface Names {
  readonly bindings: Bindings
  /** What was assigned to an attribute of this name, on any object: `self.run = subprocess.run`. */
  readonly attributes: ReadonlyMap<string, readonly Node[]>
}

interface Bound {
  readonly path?: string | undefined
  readonly value?: Node | undefined
}

export function* collectNames(syntax: Syntax, tally: Tally): Steps<Names> {
  const bindings = createBindings(syntax, SCOPES, LOOPS, tally.spend)
  const attributes = new Map<string, Node[]>()
  const globals = new Set<string>()
  for (let node = 0; node < syntax.size; node++) {
    if (tally.isDue(node)) yield tally.take()
    const kids = (): readonly Node[] => syntax.kids(node).filter((kid) => syntax.name(kid) !== 'Comment')
    switch (syntax.name(node)) {
      case 'ImportStatement':
        importsOf(node, kids())
        break
      case 'AssignStatement':
        assignment(node, kids())
        break
      case 'NamedExpression': {
        const [name, , value] = kids()
        if (name !== undefined) bind(name, node, { value })
        break
      }
      case 'ForStatement':
      case 'WithStatement':
      case 'TryStatement':
        heads(syntax.name(node) === 'ForStatement', kids())
        break
      case 'FunctionDefinition':
      case 'ClassDefinition': {
        const name = kids().find((kid) => syntax.name(kid) === 'VariableName')
        if (name !== undefined) bind(name, node, {}, syntax.parent(node))
        break
      }
      case 'ParamList':
        parameters(node, kids())
        break
      case 'ScopeStatement':
        for (const kid of kids()) if (syntax.name(kid) === 'VariableName') globals.add(text(kid))
        break
    }
  }
  return { bindings, attributes }

  function text(node: Node): string {
    return syntax.textOf(node).normalize('NFKC')
  }

  function blockOf(node: Node): Node {
    let block = syntax.above(node, BLOCKS)
    // What stands in a `with` happens as surely as the `with` itself.
    while (block > 0 && syntax.name(syntax.parent(block)) === 'WithStatement')
      block = syntax.above(syntax.parent(block), BLOCKS)
    return Math.max(0, block)
  }

  /** `outside`: where the name belongs, when that is not where it stands (a function's name is its parent's). */
  function bind(name: Node, at: Node, what: Bound, outside = at): void {
    const { value, path } = what
    const word = text(name)
    const scope = globals.has(word) ? 0 : Math.max(0, syntax.above(outside, SCOPES))
    const followed = { ...(path === undefined ? {} : { path }), ...(value === undefined ? {} : { value }) }
    bindings.add({ name: word, scope, block: blockOf(outside), at, ...followed })
  }

  function importsOf(node: Node, kids: readonly Node[]): void {
    let from: string | null = null
    let path = ''
    let last: Node = -1
    let alias = false
    let names = false
    const flush = (): void => {
      if (last < 0) return
      const whole = from === null ? path : `${from}.${path}`
      bind(last, node, { path: from === null && !alias ? (path.split('.')[0] ?? path) : whole })
    }
    let first: Node = -1
    for (const kid of kids) {
      const name = syntax.name(kid)
      if (name === 'from') from = path
      else if (name === 'import') {
        names = true
        if (from !== null) from = path
        path = ''
      } else if (name === '*' && names) bindings.addStar(from ?? '', node)
      else if (name === 'as') alias = true
      else if (name === ',' || name === ')') {
        flush()
        path = ''
        last = first = -1
        alias = false
      } else if (name === '.' || name === 'Ellipsis') path += name === '.' ? '.' : '...'
      else if (name === 'VariableName') {
        if (!alias) path += text(kid)
        if (first < 0) first = kid
        last = alias || from !== null ? kid : first
      }
    }
    flush()
  }

  function assignment(node: Node, kids: readonly Node[]): void {
    const parts: Node[][] = [[]]
    for (const kid of kids)
      if (syntax.name(kid) === 'AssignOp') parts.push([])
      else if (syntax.name(kid) !== ',' && syntax.name(kid) !== 'TypeDef') parts.at(-1)?.push(kid)
    const values = parts.length > 1 ? (parts.pop() ?? []) : []
    for (const targets of parts) {
      const list = targets.length === 1 ? elements(targets[0] ?? -1) : targets
      const given = list.length > 1 && values.length === 1 ? elements(values[0] ?? -1) : values
      list.forEach((target, index) =>
        target_(target, node, given.length === list.length ? given[index] : undefined),
      )
    }
  }

  function elements(node: Node): readonly Node[] {
    if (!TARGETS.has(syntax.name(node))) return [node]
    return syntax.kids(node).filter((kid) => !/^(?:[()[\],*]|Comment)$/.test(syntax.name(kid)))
  }

  function target_(target: Node, at: Node, value: Node | undefined): void {
    if (syntax.name(target) === 'VariableName') return bind(target, at, { value })
    if (TARGETS.has(syntax.name(target))) {
      for (const part of elements(target)) if (part !== target) target_(part, at, undefined)
      return
    }
    const property = syntax.kids(target).at(-1)
    if (syntax.name(target) !== 'MemberExpression' || property === undefined || value === undefined) return
    if (syntax.name(property) === 'PropertyName')
      attributes.set(text(property), [...(attributes.get(text(property)) ?? []).slice(-8), value])
  }

  // `for x in`, `with a as b`, `except E as e`. A with gives the name what its expression is, near enough.
  function heads(loop: boolean, kids: readonly Node[]): void {
    let before: Node | undefined
    let targets = loop
    for (const kid of kids) {
      const name = syntax.name(kid)
      if (name === 'Body') targets = false
      else if (name === 'in') targets = false
      else if (name === 'as') targets = true
      else if (targets && name !== ',' && name !== 'for' && name !== 'async') {
        target_(kid, kid, loop ? undefined : before)
        targets = loop
      } else if (name !== ',' && name !== '⚠') before = name === 'Body' ? undefined : kid
    }
  }

  function parameters(node: Node, kids: readonly Node[]): void {
    kids.forEach((kid, index) => {
      const previous = syntax.name(kids[index - 1] ?? -1)
      if (syntax.name(kid) !== 'VariableName' || previous === 'AssignOp') return
      const typed = syntax.name(kids[index + 1] ?? -1) === 'TypeDef' ? 1 : 0
      const given = syntax.name(kids[index + 1 + typed] ?? -1) === 'AssignOp'
      const value = given ? kids[index + 2 + typed] : undefined
      bind(kid, node, { value })
    })
  }
}
