// Resolves an expression to the path it refers to, through imports and one alias: `child_process.exec`,
// however it was imported.

import type { CodeLanguage, Resolve } from './language.ts'
import type { Names } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { stringOf } from './values.ts'

const DEPTH_MAX = 16
const STEPS_MAX = 64
/** Cost of a step, in the unit of `syntax.spend`. */
const STEP_COST = 50
const CANDIDATES_MAX = 8
const PATH_MAX_CHARS = 400
const MEMBER_CHAIN_MAX = 16

const TRANSPARENT_KINDS = new Set([
  'ParenthesizedExpression',
  'AwaitExpression',
  'NamedExpression',
  'ConditionalExpression',
  'SequenceExpression',
  'PostfixExpression',
])
/** Function expressions: the `constructor` of any function turns text into code. */
const FUNCTION_KINDS = new Set(['ArrowFunction', 'FunctionExpression', 'ClassExpression'])

export function createResolver(syntax: Syntax, names: Names, language: CodeLanguage): Resolve {
  const { code, shell, process } = language.effects
  let steps = 0
  return (node) => {
    steps = 0
    return resolvePaths(node, 0, true)
  }

  /** `follow` says whether a variable may be resolved to its value. */
  function resolvePaths(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    syntax.spend(STEP_COST)
    if (depth > DEPTH_MAX || ++steps > STEPS_MAX) return ['?']
    const resolved = resolveNode(node, depth + 1, follow).map((path) =>
      language.canonicalPath(path.slice(-PATH_MAX_CHARS)),
    )
    return Array.from(new Set(resolved)).slice(0, CANDIDATES_MAX)
  }

  function resolveOrUnknown(node: SyntaxNode | undefined, depth: number, follow: boolean): readonly string[] {
    const resolved = node === undefined ? [] : resolvePaths(node, depth, follow)
    return resolved.length === 0 ? ['?'] : resolved
  }

  function resolveNode(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const name = syntax.name(node)
    if (name === 'VariableName')
      return resolveVariable(language.normalizeName(syntax.textOf(node)), node, depth, follow)
    if (name === 'MemberExpression') return resolveMember(node, depth, follow)
    if (name === 'CallExpression' || name === 'NewExpression') return resolveCall(node, depth, follow)
    if (name === 'DynamicImport') return language.resultOfCall('import', syntax, node, () => []) ?? ['?']
    if (FUNCTION_KINDS.has(name)) return ['?.function']
    const children = syntax.children(node)
    const joins =
      name === 'BinaryExpression' && /^(?:and|or|as|LogicOp)$/.test(syntax.name(children[1] ?? -1))
    return joins || TRANSPARENT_KINDS.has(name)
      ? children.flatMap((child) => resolvePaths(child, depth, follow))
      : []
  }

  function resolveVariable(name: string, use: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const nameValues = names.valuesOfName(name, use)
    // The name may come from a star import. Only relevant paths are considered.
    const starPaths = Array.from(names.starImports, (star) =>
      language.canonicalPath(`${star}.${name}`),
    ).filter((path) => code.test(path) || shell.test(path) || process.test(path))
    if (!nameValues) return [...starPaths, `${language.globalPrefix}.${name}`]
    const resolved = nameValues.flatMap(({ path, value, member: taken }) => {
      if (path !== undefined) return [path]
      const roots = follow ? resolveOrUnknown(value, depth, false) : ['?']
      return taken === undefined ? roots : roots.map((root) => `${root}.${taken}`)
    })
    return [...resolved, ...starPaths]
  }

  function resolveMember(start: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const tail: string[] = []
    let object = start
    for (
      ;
      syntax.name(object) === 'MemberExpression' && tail.length < MEMBER_CHAIN_MAX;
      object = syntax.children(object)[0] ?? -1
    ) {
      const children = syntax.children(object)
      const property = children.at(-1) ?? -1
      const key = syntax.name(property) === ']' ? stringOf(syntax, children.at(-2) ?? -1) : null
      tail.push(
        key ?? (syntax.name(property) === ']' ? '?' : language.normalizeName(syntax.textOf(property))),
      )
    }
    const path = tail.toReversed().join('.')
    return resolveOrUnknown(object, depth, follow).map((root) => `${root}.${path}`)
  }

  function resolveCall(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const [first, second] = syntax.children(node)
    const callee = syntax.name(node) === 'NewExpression' ? second : first
    return resolveOrUnknown(callee, depth, follow).flatMap(
      (path) =>
        language.resultOfCall(path, syntax, node, (argument) =>
          resolveOrUnknown(argument, depth, follow),
        ) ?? [`${path}()`],
    )
  }
}
