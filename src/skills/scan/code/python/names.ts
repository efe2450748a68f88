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

const word = (syntax: Syntax, node: SyntaxNode): string => syntax.textOf(node).normalize('NFKC')

export function collectPython(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  switch (syntax.name(node)) {
    case 'ImportStatement':
      return imported(word(syntax, node), node, bind)
    case 'AssignStatement':
    case 'NamedExpression':
      return assigned(syntax, node, bind)
    case 'FunctionDefinition':
    case 'ClassDefinition': {
      const name = syntax.kids(node).find((kid) => syntax.name(kid) === 'VariableName')
      if (name !== undefined) bind(word(syntax, name), syntax.parent(node), { body: node })
      return
    }
    case 'WithStatement':
      return opened(syntax, node, bind)
    case 'ParamList':
      return parameters(syntax, node, bind)
  }
}

function imported(statement: string, at: SyntaxNode, bind: Bind): void {
  const text = statement.replace(/#[^\n]*|\\\n|[()\n]/g, ' ')
  const [head, from] = /^\s*(?:from\s+([\p{L}\w.]+)\s+)?import\s/u.exec(text) ?? []
  if (head === undefined) return
  for (const part of text.slice(head.length).split(',')) {
    const [path, as, alias] = part.trim().split(/\s+/)
    if (path === undefined || path === '') continue
    const name = as === 'as' && alias !== undefined ? alias : null
    if (path === '*') bind('*', at, { path: from ?? '' })
    else if (from !== undefined) bind(name ?? path, at, { path: `${from}.${path}` })
    else if (name !== null) bind(name, at, { path })
    else bind(path.split('.')[0] ?? path, at, { path: path.split('.')[0] ?? path })
  }
}

/** Records `a = b = value`. Tuple targets (`a, b = value`) get an unknown value. */
function assigned(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const kids = syntax.kids(node)
  const last = kids.findLastIndex((kid) => syntax.name(kid) === 'AssignOp')
  const value = last === kids.length - 2 ? kids.at(-1) : undefined
  const several = kids.slice(0, last).some((kid) => syntax.name(kid) === ',')
  for (const kid of last < 0 ? [] : kids.slice(0, last))
    if (syntax.name(kid) === 'VariableName')
      bind(word(syntax, kid), node, several || value === undefined ? {} : { value })
}

/** Records `with open(a) as f, urlopen(b) as r:`. */
function opened(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const kids = syntax.kids(node)
  kids.forEach((kid, index) => {
    const value = kids[index - 2]
    if (syntax.name(kid) !== 'VariableName' || syntax.name(kids[index - 1] ?? -1) !== 'as') return
    if (value !== undefined) bind(word(syntax, kid), node, { value })
  })
}

function parameters(syntax: Syntax, node: SyntaxNode, bind: Bind): void {
  const kids = syntax.kids(node).filter((kid) => syntax.name(kid) !== 'TypeDef')
  kids.forEach((kid, index) => {
    if (syntax.name(kid) !== 'VariableName' || syntax.name(kids[index - 1] ?? -1) === 'AssignOp') return
    const value = syntax.name(kids[index + 1] ?? -1) === 'AssignOp' ? kids[index + 2] : undefined
    bind(word(syntax, kid), node, value === undefined ? {} : { value })
  })
}
