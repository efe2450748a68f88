// Records the values that a Python file assigns to its names, by imports, assignments, definitions and
// default values of parameters.

import type { Bind } from '../common/names.ts'
import type { SyntaxNode, Syntax } from '../common/syntax.ts'

export const PYTHON_SCOPES: ReadonlySet<string> = new Set([
  'Script',
  'FunctionDefinition',
  'LambdaExpression',
  'ClassDefinition',
])

const nameOf = (syntax: Syntax, node: SyntaxNode): string => syntax.textOf(node).normalize('NFKC')

export function collectPython(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  switch (syntax.name(node)) {
    case 'ImportStatement':
      return recordImport(nameOf(syntax, node), node, bind)
    case 'AssignStatement':
    case 'NamedExpression':
      return recordAssignment(syntax, node, bind)
    case 'FunctionDefinition':
    case 'ClassDefinition': {
      const name = syntax.children(node).find((child) => syntax.name(child) === 'VariableName')
      if (name !== undefined) bind(nameOf(syntax, name), syntax.parent(node), { body: node })
      return
    }
    case 'WithStatement':
      return recordWith(syntax, node, bind)
    case 'ParamList':
      return recordParameters(syntax, node, bind)
  }
}

function recordImport(statement: string, scopeNode: SyntaxNode, bind: Bind): void {
  const text = statement.replace(/#[^\n]*|\\\n|[()\n]/g, ' ')
  const [head, module] = /^\s*(?:from\s+([\p{L}\w.]+)\s+)?import\s/u.exec(text) ?? []
  if (head === undefined) return
  for (const part of text.slice(head.length).split(',')) {
    const [path, as, alias] = part.trim().split(/\s+/)
    if (path === undefined || path === '') continue
    const name = as === 'as' && alias !== undefined ? alias : null
    if (path === '*') bind('*', scopeNode, { path: module ?? '' })
    else if (module !== undefined) bind(name ?? path, scopeNode, { path: `${module}.${path}` })
    else if (name !== null) bind(name, scopeNode, { path })
    else bind(path.split('.')[0] ?? path, scopeNode, { path: path.split('.')[0] ?? path })
  }
}

/** Records `a = b = value`. Tuple targets (`a, b = value`) get an unknown value. */
function recordAssignment(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const children = syntax.children(node)
  const last = children.findLastIndex((child) => syntax.name(child) === 'AssignOp')
  const value = last === children.length - 2 ? children.at(-1) : undefined
  const isTuple = children.slice(0, last).some((child) => syntax.name(child) === ',')
  for (const child of last < 0 ? [] : children.slice(0, last))
    if (syntax.name(child) === 'VariableName')
      bind(nameOf(syntax, child), node, isTuple || value === undefined ? {} : { value })
}

/** Records `with open(a) as f, urlopen(b) as r:`. */
function recordWith(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const children = syntax.children(node)
  children.forEach((child, index) => {
    const value = children[index - 2]
    if (syntax.name(child) !== 'VariableName' || syntax.name(children[index - 1] ?? -1) !== 'as') return
    if (value !== undefined) bind(nameOf(syntax, child), node, { value })
  })
}

function recordParameters(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const children = syntax.children(node).filter((child) => syntax.name(child) !== 'TypeDef')
  children.forEach((child, index) => {
    if (syntax.name(child) !== 'VariableName' || syntax.name(children[index - 1] ?? -1) === 'AssignOp') return
    const value = syntax.name(children[index + 1] ?? -1) === 'AssignOp' ? children[index + 2] : undefined
    bind(nameOf(syntax, child), node, value === undefined ? {} : { value })
  })
}
