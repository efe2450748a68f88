// Records the values that a JavaScript or TypeScript file assigns to its names, by imports, declarations,
// assignments and default values of parameters.

import type { Bind, Given } from '../common/names.ts'
import type { SyntaxNode, Syntax } from '../common/syntax.ts'

export const JAVASCRIPT_SCOPES: ReadonlySet<string> = new Set([
  'Script',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunction',
  'MethodDeclaration',
])

export function collectJavascript(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  switch (syntax.name(node)) {
    case 'ImportDeclaration':
      return imported(syntax, node, bind)
    case 'VariableDeclaration':
    case 'ParamList':
      return declared(syntax, node, bind)
    case 'FunctionDeclaration':
    case 'ClassDeclaration': {
      const name = syntax.kids(node).find((kid) => syntax.name(kid) === 'VariableDefinition')
      if (name !== undefined)
        bind(syntax.textOf(name), syntax.parent(node), { path: '?.function', body: node })
      return
    }
    case 'AssignmentExpression': {
      const [target = -1, , value] = syntax.kids(node)
      if (value === undefined || syntax.name(target) !== 'VariableName') return
      bind(syntax.textOf(target), node, { value })
      // A function may assign a variable of the file, so the value is recorded in both scopes.
      bind(syntax.textOf(target), 0, { value })
    }
  }
}

function imported(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const kids = syntax.kids(node)
  const source = kids.find((kid) => syntax.name(kid) === 'String')
  if (source === undefined) return
  const module = moduleName(syntax.textOf(source).slice(1, -1))
  for (const kid of kids) {
    if (syntax.name(kid) === 'VariableDefinition') bind(syntax.textOf(kid), node, { path: module })
    if (syntax.name(kid) !== 'ImportGroup') continue
    for (const part of syntax.textOf(kid).slice(1, -1).split(',')) {
      const [name = '', as, alias] = part
        .replace(/^\s*type\s+(?=\w)/, '')
        .trim()
        .split(/\s+/)
      const path = name === 'default' ? module : `${module}.${name.replace(/^["']|["']$/g, '')}`
      bind(as === 'as' ? (alias ?? name) : name, node, { path })
    }
  }
}

/** Records `a = 1, {b} = c`, and the default values of parameters. */
function declared(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const kids = syntax.kids(node).filter((kid) => syntax.name(kid) !== 'TypeAnnotation')
  kids.forEach((kid, index) => {
    const name = syntax.name(kid)
    const value = syntax.name(kids[index + 1] ?? -1) === 'Equals' ? kids[index + 2] : undefined
    const given = value === undefined ? {} : { value }
    if (name === 'VariableDefinition') bind(syntax.textOf(kid), node, given)
    else if (name === 'ObjectPattern') destructured(syntax, kid, node, given, bind)
  })
}

function destructured(syntax: Syntax, pattern: SyntaxNode, at: SyntaxNode, given: Given, bind: Bind): void {
  for (const part of syntax.kids(pattern)) {
    const kids = syntax.kids(part)
    const name = kids.find((kid) => syntax.name(kid) === 'VariableDefinition')
    const property = kids.find((kid) => syntax.name(kid) === 'PropertyName')
    if (name === undefined) continue
    const rest = syntax.name(kids[0] ?? -1) === 'Spread'
    bind(syntax.textOf(name), at, rest ? given : { ...given, member: syntax.textOf(property ?? name) })
  }
}

export function moduleName(specifier: string): string {
  return specifier
    .replace(/^node:/, '')
    .replace(/\/promises$/, '')
    .slice(0, 200)
}
