// Reads the bindings out of a JavaScript or TypeScript tree: imports, declarations, assignments, parameters.

import type { Steps } from '../../../lib/steps.ts'
import { createBindings } from '../bindings.ts'
import type { Bindings } from '../bindings.ts'
import type { Node, Syntax } from '../syntax.ts'
import type { Tally } from '../tally.ts'

export const SCOPES = new Set([
  'Script',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunction',
  'MethodDeclaration',
])
const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoStatement'])
const BLOCKS = new Set([
  'Script',
  'Block',
  'ConditionalExpression',
  'IfStatement',
  'ArrowFunction',
  'SwitchBody',
])

/** What any function or class of the file is: its `constructor` makes code out of text. */
export const A_FUNCTION = 'globals.Function.prototype'

interface Bound {
  readonly path?: string
  readonly value?: Node
  readonly member?: string
}

export function* collectNames(syntax: Syntax, tally: Tally): Steps<Bindings> {
  const bindings = createBindings(syntax, SCOPES, LOOPS, tally.spend)
  for (let node = 0; node < syntax.size; node++) {
    if (tally.isDue(node)) yield tally.take()
    switch (syntax.name(node)) {
      case 'ImportDeclaration':
        imported(node)
        break
      case 'VariableDeclaration':
      case 'ParamList':
        declared(syntax.kids(node), node)
        break
      case 'FunctionDeclaration':
      case 'ClassDeclaration': {
        const name = syntax.kids(node).find((kid) => syntax.name(kid) === 'VariableDefinition')
        if (name !== undefined) bind(name, node, { path: A_FUNCTION }, syntax.parent(node))
        break
      }
      case 'CatchClause':
      case 'ForOfSpec':
      case 'ForInSpec':
        for (const kid of syntax.kids(node)) if (syntax.name(kid) === 'VariableDefinition') bind(kid, kid, {})
        break
      case 'AssignmentExpression': {
        const [target, , value] = syntax.kids(node)
        if (target === undefined || value === undefined || syntax.name(target) !== 'VariableName') break
        bind(target, node, { value })
        // The name may belong to the file although a function sets it.
        if (syntax.above(node, SCOPES) > 0) bind(target, node, { value }, 0)
        break
      }
    }
  }
  return bindings

  function bind(name: Node, at: Node, what: Bound, outside = at): void {
    const scope = Math.max(0, syntax.above(outside, SCOPES))
    bindings.add({
      name: syntax.textOf(name),
      scope,
      block: Math.max(0, syntax.above(outside, BLOCKS)),
      at,
      ...what,
    })
  }

  function imported(node: Node): void {
    const kids = syntax.kids(node)
    const source = kids.find((kid) => syntax.name(kid) === 'String')
    if (source === undefined) return
    const module = moduleName(syntax.textOf(source).slice(1, -1))
    for (const kid of kids) {
      if (syntax.name(kid) === 'VariableDefinition') bind(kid, node, { path: module })
      if (syntax.name(kid) !== 'ImportGroup') continue
      let from: string | null = null
      for (const part of syntax.kids(kid)) {
        const name = syntax.name(part)
        if (name === 'VariableName' || name === 'String' || name === 'default') from = syntax.textOf(part)
        else if (name === 'VariableDefinition')
          bind(part, node, { path: from === 'default' ? module : `${module}.${from ?? syntax.textOf(part)}` })
        else if (name === ',') from = null
      }
    }
  }

  // `a = 1, {b} = c`: each target with what follows its sign. A parameter's default is one value it may have.
  function declared(kids: readonly Node[], node: Node): void {
    kids.forEach((kid, index) => {
      const name = syntax.name(kid)
      if (name !== 'VariableDefinition' && name !== 'ObjectPattern' && name !== 'ArrayPattern') return
      const sign = kids.slice(index + 1, index + 4).findIndex((next) => syntax.name(next) === 'Equals')
      const comma = kids.slice(index + 1, index + 4).findIndex((next) => syntax.name(next) === ',')
      const given = sign >= 0 && (comma < 0 || sign < comma) ? kids[index + 2 + sign] : undefined
      const value = given === undefined ? {} : { value: given }
      if (name === 'VariableDefinition') bind(kid, node, value)
      else if (name === 'ObjectPattern') destructured(kid, node, value)
    })
  }

  function destructured(pattern: Node, node: Node, value: Bound): void {
    for (const part of syntax.kids(pattern)) {
      if (syntax.name(part) !== 'PatternProperty') continue
      const kids = syntax.kids(part)
      const name = kids.find((kid) => syntax.name(kid) === 'VariableDefinition')
      const property = kids.find((kid) => syntax.name(kid) === 'PropertyName')
      if (name === undefined) continue
      const rest = syntax.name(kids[0] ?? -1) === 'Spread'
      bind(name, node, rest ? value : { ...value, member: syntax.textOf(property ?? name) })
    }
  }
}

export function moduleName(specifier: string): string {
  return specifier
    .replace(/^node:/, '')
    .replace(/\/promises$/, '')
    .slice(0, 200)
}
