// Lists the assignments of a Python or JavaScript file: by statements, loops, arguments, callbacks and
// methods that add a value to an object. Ignores order and branches.

import type { CodeFile } from './fetched.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf } from './values.ts'

export interface Give {
  readonly to: string
  readonly from: SyntaxNode
  /** False if the value was only added to the target. */
  readonly isWhole: boolean
  /** True for a file that is added to an archive. */
  readonly isPacked: boolean
}

const GIVES_MAX = 8_000
const PUTS =
  /^(?:append|extend|add|update|insert|push|unshift|set|write|writestr|writelines|put|concat|addFile|addLocalFile|addLocalFolder|file|setdefault|appendleft|save)$/
const FUNCTIONS = /^(?:ArrowFunction|FunctionExpression|LambdaExpression)$/
const NAMES = /^(?:VariableName|VariableDefinition)$/

/**
 * The key of a variable in its scope, or of a property, which has one key for the whole file; null for other
 * nodes.
 */
export function keyOf({ syntax, names, language }: CodeFile, node: SyntaxNode): string | null {
  const kind = syntax.name(node)
  if (NAMES.test(kind)) {
    const word = language.word(syntax.textOf(node))
    return `${names.homeOf(word, node)}:${word}`
  }
  if (kind !== 'MemberExpression') return null
  const kids = syntax.kids(node)
  const last = kids.at(-1) ?? -1
  // A value that is stored in a list or a table taints all of it.
  if (syntax.name(last) === ']') return keyOf({ syntax, names, language } as CodeFile, kids[0] ?? -1)
  return `.${syntax.textOf(last)}`
}

export function givesOf(file: CodeFile): readonly Give[] {
  const { syntax } = file
  const gives: Give[] = []
  const functions = new Map<string, SyntaxNode>()
  const packs = /tarfile|zipfile|pyzipper|py7zr|AdmZip|archiver|JSZip|shutil/.test(syntax.text)
  const give = (
    to: SyntaxNode | undefined,
    from: SyntaxNode | undefined,
    isWhole = true,
    isPacked = false,
  ): void => {
    const key = to === undefined || to < 0 ? null : keyOf(file, to)
    if (key !== null && from !== undefined && from >= 0 && gives.length < GIVES_MAX)
      gives.push({ to: key, from, isWhole, isPacked })
  }
  const targets = (nodes: readonly SyntaxNode[], from: SyntaxNode | undefined): void => {
    for (const node of nodes)
      // A destructured property is not the whole value.
      if (syntax.name(node) === 'ObjectPattern') continue
      else if (/Pattern|TupleExpression|ArrayExpression/.test(syntax.name(node)))
        targets(syntax.kids(node), from)
      else give(node, from)
  }
  for (let node = 0; node < syntax.size; node++) {
    const kind = syntax.name(node)
    if (kind === 'FunctionDefinition' || kind === 'FunctionDeclaration') {
      const name = syntax.kids(node).find((kid) => NAMES.test(syntax.name(kid)))
      if (name !== undefined) functions.set(syntax.textOf(name), node)
    } else if (kind === 'ReturnStatement' || kind === 'YieldStatement') {
      const name = functionAround(file, node)
      if (name !== undefined) give(name, syntax.kids(node)[1])
    } else if (/^(?:AssignStatement|AssignmentExpression|UpdateStatement|NamedExpression)$/.test(kind)) {
      const kids = syntax.kids(node)
      const last = kids.findLastIndex((kid) => /^(?:AssignOp|Equals|UpdateOp)$/.test(syntax.name(kid)))
      const value = kids[last + 1]
      targets(kids.slice(0, Math.max(0, last)), value)
      if (value !== undefined && FUNCTIONS.test(syntax.name(value))) callback(value, kids[0])
    } else if (kind === 'VariableDeclaration') {
      const kids = syntax.kids(node).filter((kid) => syntax.name(kid) !== 'TypeAnnotation')
      kids.forEach((kid, index) => {
        if (syntax.name(kids[index + 1] ?? -1) === 'Equals') targets([kid], kids[index + 2])
      })
    } else if (kind === 'ForStatement' || kind === 'ForOfSpec' || kind.endsWith('ComprehensionExpression')) {
      const kids = syntax.kids(node)
      kids.forEach((kid, index) => {
        if (!/^(?:in|of)$/.test(syntax.name(kid))) return
        const from = kids
          .slice(0, index)
          .findLastIndex((one) => /^(?:for|const|let|var|\()$/.test(syntax.name(one)))
        targets(kids.slice(from + 1, index), kids[index + 1])
      })
    } else if (kind === 'WithStatement') {
      const kids = syntax.kids(node)
      kids.forEach((kid, index) => {
        if (syntax.name(kid) !== 'as') return
        give(kids[index + 1], kids[index - 1])
        // Content that is written to an archive ends up in the file that was opened for it.
        const opened = kids[index - 1] ?? -1
        if (/^(?:zipfile|tarfile|pyzipper|py7zr)\b/.test(syntax.textOf(opened)))
          for (const argument of [
            ...argumentsOf(syntax, opened).positional.slice(0, 1),
            ...argumentsOf(syntax, opened).named.values(),
          ])
            give(argument, kids[index + 1])
      })
    } else if (kind === 'CallExpression') called(node)
  }
  return gives

  function called(node: SyntaxNode): void {
    const [callee = -1] = syntax.kids(node)
    const { positional, named } = argumentsOf(syntax, node)
    const [receiver = -1] = syntax.name(callee) === 'MemberExpression' ? syntax.kids(callee) : []
    const method = receiver < 0 ? '' : syntax.textOf(syntax.kids(callee).at(-1) ?? -1)
    const list = syntax.kids(node).find((kid) => syntax.name(kid) === 'ArgList')
    if (PUTS.test(method) && syntax.name(receiver) === 'MemberExpression') give(rootOf(receiver), list, false)
    if (PUTS.test(method)) give(receiver, list, false)
    if (PUTS.test(method))
      for (const value of [...positional, ...named.values()])
        give(
          receiver,
          value,
          false,
          packs && /^(?:add|write|addFile|addLocalFile|addLocalFolder|file)$/.test(method),
        )
    for (const value of positional)
      if (FUNCTIONS.test(syntax.name(value))) callback(value, receiver < 0 ? callee : receiver)
    const own = functions.get(syntax.name(callee) === 'MemberExpression' ? method : syntax.textOf(callee))
    if (own === undefined) return
    const parameters = parametersOf(own).filter((name) => !/^(?:self|cls)$/.test(syntax.textOf(name)))
    positional.forEach((value, index) => give(parameters[index], value))
    for (const [name, value] of named)
      give(
        parameters.find((one) => syntax.textOf(one) === name),
        value,
      )
  }

  /** `report` for `report.marks`: a value that is added to a property taints the whole object. */
  function rootOf(member: SyntaxNode): SyntaxNode {
    let at = member
    while (syntax.name(at) === 'MemberExpression') at = syntax.kids(at)[0] ?? -1
    return at
  }

  function callback(value: SyntaxNode, source: SyntaxNode | undefined): void {
    for (const name of parametersOf(value)) give(name, source)
  }

  function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
    const list = syntax.kids(node).find((kid) => syntax.name(kid) === 'ParamList')
    return list === undefined
      ? syntax
          .kids(node)
          .filter((kid) => syntax.name(kid) === 'VariableDefinition')
          .slice(0, 1)
      : syntax
          .kids(list)
          .filter(
            (kid, index, all) =>
              NAMES.test(syntax.name(kid)) && syntax.name(all[index - 1] ?? -1) !== 'AssignOp',
          )
  }
}

function functionAround({ syntax }: CodeFile, node: SyntaxNode): SyntaxNode | undefined {
  for (let at = syntax.parent(node); at >= 0; at = syntax.parent(at))
    if (/^Function(?:Definition|Declaration)$/.test(syntax.name(at)))
      return syntax.kids(at).find((kid) => NAMES.test(syntax.name(kid)))
  return undefined
}
