// Records the values that a JavaScript or TypeScript file assigns to its names, by imports, declarations,
// assignments and default values of parameters.

import type { Bind, NameValue } from '../common/names.ts'
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
      return recordImport(syntax, node, bind)
    case 'VariableDeclaration':
    case 'ParamList':
      return recordDeclarations(syntax, node, bind)
    case 'FunctionDeclaration':
    case 'ClassDeclaration': {
      const name = syntax.children(node).find((child) => syntax.name(child) === 'VariableDefinition')
      if (name !== undefined)
        bind(syntax.textOf(name), syntax.parent(node), { path: '?.function', body: node })
      return
    }
    case 'AssignmentExpression': {
      const [target = -1, , value] = syntax.children(node)
      if (value === undefined || syntax.name(target) !== 'VariableName') return
      bind(syntax.textOf(target), node, { value })
      // A function may assign a variable of the file, so the value is recorded in both scopes.
      bind(syntax.textOf(target), 0, { value })
    }
  }
}

function recordImport(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const children = syntax.children(node)
  const source = children.find((child) => syntax.name(child) === 'String')
  if (source === undefined) return
  const module = moduleName(syntax.textOf(source).slice(1, -1))
  for (const child of children) {
    if (syntax.name(child) === 'VariableDefinition') bind(syntax.textOf(child), node, { path: module })
    if (syntax.name(child) !== 'ImportGroup') continue
    for (const part of syntax.textOf(child).slice(1, -1).split(',')) {
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
function recordDeclarations(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const children = syntax.children(node).filter((child) => syntax.name(child) !== 'TypeAnnotation')
  children.forEach((child, index) => {
    const name = syntax.name(child)
    const value = syntax.name(children[index + 1] ?? -1) === 'Equals' ? children[index + 2] : undefined
    const nameValue = value === undefined ? {} : { value }
    if (name === 'VariableDefinition') bind(syntax.textOf(child), node, nameValue)
    else if (name === 'ObjectPattern') recordDestructuring(syntax, child, node, nameValue, bind)
  })
}

function recordDestructuring(
  syntax: Syntax,
  pattern: SyntaxNode,
  scopeNode: SyntaxNode,
  nameValue: NameValue,
  bind: Bind,
): void {
  for (const part of syntax.children(pattern)) {
    const children = syntax.children(part)
    const name = children.find((child) => syntax.name(child) === 'VariableDefinition')
    const property = children.find((child) => syntax.name(child) === 'PropertyName')
    if (name === undefined) continue
    const isRest = syntax.name(children[0] ?? -1) === 'Spread'
    bind(
      syntax.textOf(name),
      scopeNode,
      isRest ? nameValue : { ...nameValue, member: syntax.textOf(property ?? name) },
    )
  }
}

export function moduleName(specifier: string): string {
  return specifier
    .replace(/^node:/, '')
    .replace(/\/promises$/, '')
    .slice(0, 200)
}
