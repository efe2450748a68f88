// Resolves an expression to the path it refers to, through imports and one alias: `child_process.exec`,
// however it was imported.

import type { CodeLanguage, Resolve } from './language.ts'
import type { Names } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { stringOf } from './values.ts'

const DEPTH_MAX = 16
const STEPS_MAX = 64
/** Cost of a step, in the unit of `syntax.spend`. */
const A_STEP = 50
const CANDIDATES_MAX = 8
const PATH_CHARS = 400
const CHAIN_MAX = 16

const PASSES_ON = new Set([
  'ParenthesizedExpression',
  'AwaitExpression',
  'NamedExpression',
  'ConditionalExpression',
  'SequenceExpression',
  'PostfixExpression',
])
/** Function expressions: the `constructor` of any function turns text into code. */
const FUNCTIONS = new Set(['ArrowFunction', 'FunctionExpression', 'ClassExpression'])

export function createResolver(syntax: Syntax, names: Names, language: CodeLanguage): Resolve {
  const { code, shell, process } = language.does
  let steps = 0
  return (node) => {
    steps = 0
    return paths(node, 0, true)
  }

  /** `follow` says whether a variable may be resolved to its value. */
  function paths(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    syntax.spend(A_STEP)
    if (depth > DEPTH_MAX || ++steps > STEPS_MAX) return ['?']
    const found = find(node, depth + 1, follow).map((path) => language.canonical(path.slice(-PATH_CHARS)))
    return Array.from(new Set(found)).slice(0, CANDIDATES_MAX)
  }

  function known(node: SyntaxNode | undefined, depth: number, follow: boolean): readonly string[] {
    const found = node === undefined ? [] : paths(node, depth, follow)
    return found.length === 0 ? ['?'] : found
  }

  function find(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const name = syntax.name(node)
    if (name === 'VariableName') return variable(language.word(syntax.textOf(node)), node, depth, follow)
    if (name === 'MemberExpression') return member(node, depth, follow)
    if (name === 'CallExpression' || name === 'NewExpression') return called(node, depth, follow)
    if (name === 'DynamicImport') return language.called('import', syntax, node, () => []) ?? ['?']
    if (FUNCTIONS.has(name)) return ['?.function']
    const kids = syntax.kids(node)
    const joins = name === 'BinaryExpression' && /^(?:and|or|as|LogicOp)$/.test(syntax.name(kids[1] ?? -1))
    return joins || PASSES_ON.has(name) ? kids.flatMap((kid) => paths(kid, depth, follow)) : []
  }

  function variable(name: string, use: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const given = names.givenTo(name, use)
    // The name may come from a star import. Only relevant paths are considered.
    const starred = Array.from(names.stars, (star) => language.canonical(`${star}.${name}`)).filter(
      (path) => code.test(path) || shell.test(path) || process.test(path),
    )
    if (!given) return [...starred, `${language.outerName}.${name}`]
    const found = given.flatMap(({ path, value, member: taken }) => {
      if (path !== undefined) return [path]
      const roots = follow ? known(value, depth, false) : ['?']
      return taken === undefined ? roots : roots.map((root) => `${root}.${taken}`)
    })
    return [...found, ...starred]
  }

  function member(start: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const tail: string[] = []
    let at = start
    for (; syntax.name(at) === 'MemberExpression' && tail.length < CHAIN_MAX; at = syntax.kids(at)[0] ?? -1) {
      const kids = syntax.kids(at)
      const property = kids.at(-1) ?? -1
      const key = syntax.name(property) === ']' ? stringOf(syntax, kids.at(-2) ?? -1) : null
      tail.push(key ?? (syntax.name(property) === ']' ? '?' : language.word(syntax.textOf(property))))
    }
    const path = tail.toReversed().join('.')
    return known(at, depth, follow).map((root) => `${root}.${path}`)
  }

  function called(node: SyntaxNode, depth: number, follow: boolean): readonly string[] {
    const [first, second] = syntax.kids(node)
    const callee = syntax.name(node) === 'NewExpression' ? second : first
    return known(callee, depth, follow).flatMap(
      (path) =>
        language.called(path, syntax, node, (argument) => known(argument, depth, follow)) ?? [`${path}()`],
    )
  }
}
