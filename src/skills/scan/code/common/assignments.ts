// Lists the assignments of a Python or JavaScript file: by statements, loops, arguments, callbacks and
// methods that add a value to an object. Ignores order and branches.

import type { CodeFile } from './fetch-source.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf } from './values.ts'

export interface Assignment {
  /** The key of the target; see `keyOf`. */
  readonly to: string
  /** The node of the value. */
  readonly from: SyntaxNode
  /** False if the value was only added to the target. */
  readonly isReplaced: boolean
  /** True for a file that is added to an archive. */
  readonly isArchived: boolean
}

const ASSIGNMENTS_MAX = 8_000
const ADD_METHODS =
  /^(?:append|extend|add|update|insert|push|unshift|set|write|writestr|writelines|put|concat|addFile|addLocalFile|addLocalFolder|file|setdefault|appendleft|save)$/
const FUNCTION_KINDS = /^(?:ArrowFunction|FunctionExpression|LambdaExpression)$/
const NAME_KINDS = /^(?:VariableName|VariableDefinition)$/

/**
 * The key of a variable in its scope, or of a property, which has one key for the whole file; null for other
 * nodes.
 */
export function keyOf({ syntax, names, language }: CodeFile, node: SyntaxNode): string | null {
  const kind = syntax.name(node)
  if (NAME_KINDS.test(kind)) {
    const identifier = language.normalizeName(syntax.textOf(node))
    return `${names.definingScope(identifier, node)}:${identifier}`
  }
  if (kind !== 'MemberExpression') return null
  const children = syntax.children(node)
  const last = children.at(-1) ?? -1
  // A value that is stored in a list or a table taints all of it.
  if (syntax.name(last) === ']') return keyOf({ syntax, names, language } as CodeFile, children[0] ?? -1)
  return `.${syntax.textOf(last)}`
}

export function findAssignments(file: CodeFile): readonly Assignment[] {
  const { syntax } = file
  const assignments: Assignment[] = []
  const functions = new Map<string, SyntaxNode>()
  const usesArchives = /tarfile|zipfile|pyzipper|py7zr|AdmZip|archiver|JSZip|shutil/.test(syntax.text)
  const assign = (
    to: SyntaxNode | undefined,
    from: SyntaxNode | undefined,
    isReplaced = true,
    isArchived = false,
  ): void => {
    const key = to === undefined || to < 0 ? null : keyOf(file, to)
    if (key !== null && from !== undefined && from >= 0 && assignments.length < ASSIGNMENTS_MAX)
      assignments.push({ to: key, from, isReplaced, isArchived })
  }
  const assignTargets = (nodes: readonly SyntaxNode[], from: SyntaxNode | undefined): void => {
    for (const node of nodes)
      // A destructured property is not the whole value.
      if (syntax.name(node) === 'ObjectPattern') continue
      else if (/Pattern|TupleExpression|ArrayExpression/.test(syntax.name(node)))
        assignTargets(syntax.children(node), from)
      else assign(node, from)
  }
  for (let node = 0; node < syntax.size; node++) {
    const kind = syntax.name(node)
    if (kind === 'FunctionDefinition' || kind === 'FunctionDeclaration') {
      const name = syntax.children(node).find((child) => NAME_KINDS.test(syntax.name(child)))
      if (name !== undefined) functions.set(syntax.textOf(name), node)
    } else if (kind === 'ReturnStatement' || kind === 'YieldStatement') {
      const name = enclosingFunctionName(file, node)
      if (name !== undefined) assign(name, syntax.children(node)[1])
    } else if (/^(?:AssignStatement|AssignmentExpression|UpdateStatement|NamedExpression)$/.test(kind)) {
      const children = syntax.children(node)
      const last = children.findLastIndex((child) =>
        /^(?:AssignOp|Equals|UpdateOp)$/.test(syntax.name(child)),
      )
      const value = children[last + 1]
      assignTargets(children.slice(0, Math.max(0, last)), value)
      if (value !== undefined && FUNCTION_KINDS.test(syntax.name(value))) bindParameters(value, children[0])
    } else if (kind === 'VariableDeclaration') {
      const children = syntax.children(node).filter((child) => syntax.name(child) !== 'TypeAnnotation')
      children.forEach((child, index) => {
        if (syntax.name(children[index + 1] ?? -1) === 'Equals') assignTargets([child], children[index + 2])
      })
    } else if (kind === 'ForStatement' || kind === 'ForOfSpec' || kind.endsWith('ComprehensionExpression')) {
      const children = syntax.children(node)
      children.forEach((child, index) => {
        if (!/^(?:in|of)$/.test(syntax.name(child))) return
        const from = children
          .slice(0, index)
          .findLastIndex((candidate) => /^(?:for|const|let|var|\()$/.test(syntax.name(candidate)))
        assignTargets(children.slice(from + 1, index), children[index + 1])
      })
    } else if (kind === 'WithStatement') {
      const children = syntax.children(node)
      children.forEach((child, index) => {
        if (syntax.name(child) !== 'as') return
        assign(children[index + 1], children[index - 1])
        // Content that is written to an archive ends up in the file that was opened for it.
        const openCall = children[index - 1] ?? -1
        if (/^(?:zipfile|tarfile|pyzipper|py7zr)\b/.test(syntax.textOf(openCall)))
          for (const argument of [
            ...argumentsOf(syntax, openCall).positional.slice(0, 1),
            ...argumentsOf(syntax, openCall).named.values(),
          ])
            assign(argument, children[index + 1])
      })
    } else if (kind === 'CallExpression') visitCall(node)
  }
  return assignments

  function visitCall(node: SyntaxNode): void {
    const [callee = -1] = syntax.children(node)
    const { positional, named } = argumentsOf(syntax, node)
    const [receiver = -1] = syntax.name(callee) === 'MemberExpression' ? syntax.children(callee) : []
    const method = receiver < 0 ? '' : syntax.textOf(syntax.children(callee).at(-1) ?? -1)
    const list = syntax.children(node).find((child) => syntax.name(child) === 'ArgList')
    if (ADD_METHODS.test(method) && syntax.name(receiver) === 'MemberExpression')
      assign(rootOf(receiver), list, false)
    if (ADD_METHODS.test(method)) assign(receiver, list, false)
    if (ADD_METHODS.test(method))
      for (const value of [...positional, ...named.values()])
        assign(
          receiver,
          value,
          false,
          usesArchives && /^(?:add|write|addFile|addLocalFile|addLocalFolder|file)$/.test(method),
        )
    for (const value of positional)
      if (FUNCTION_KINDS.test(syntax.name(value))) bindParameters(value, receiver < 0 ? callee : receiver)
    const definition = functions.get(
      syntax.name(callee) === 'MemberExpression' ? method : syntax.textOf(callee),
    )
    if (definition === undefined) return
    const parameters = parametersOf(definition).filter((name) => !/^(?:self|cls)$/.test(syntax.textOf(name)))
    positional.forEach((value, index) => assign(parameters[index], value))
    for (const [name, value] of named)
      assign(
        parameters.find((candidate) => syntax.textOf(candidate) === name),
        value,
      )
  }

  /** Returns `report` for `report.marks`, because a value that is added to a property taints the whole object. */
  function rootOf(member: SyntaxNode): SyntaxNode {
    let ancestor = member
    while (syntax.name(ancestor) === 'MemberExpression') ancestor = syntax.children(ancestor)[0] ?? -1
    return ancestor
  }

  function bindParameters(value: SyntaxNode, source: SyntaxNode | undefined): void {
    for (const name of parametersOf(value)) assign(name, source)
  }

  function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
    const list = syntax.children(node).find((child) => syntax.name(child) === 'ParamList')
    return list === undefined
      ? syntax
          .children(node)
          .filter((child) => syntax.name(child) === 'VariableDefinition')
          .slice(0, 1)
      : syntax
          .children(list)
          .filter(
            (child, index, all) =>
              NAME_KINDS.test(syntax.name(child)) && syntax.name(all[index - 1] ?? -1) !== 'AssignOp',
          )
  }
}

function enclosingFunctionName({ syntax }: CodeFile, node: SyntaxNode): SyntaxNode | undefined {
  for (let ancestor = syntax.parent(node); ancestor >= 0; ancestor = syntax.parent(ancestor))
    if (/^Function(?:Definition|Declaration)$/.test(syntax.name(ancestor)))
      return syntax.children(ancestor).find((child) => NAME_KINDS.test(syntax.name(child)))
  return undefined
}
