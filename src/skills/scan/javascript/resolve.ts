// What an expression of a JavaScript file names: `child_process.exec`, however it was imported, renamed or reached.

import type { Bindings } from '../bindings.ts'
import type { Node, Syntax } from '../syntax.ts'
import { A_FUNCTION, moduleName } from './collect.ts'

/** Paths like 'child_process.exec', 'globals.eval', 'net.connect()'; '?' is an unknown root; empty: not a name. */
export type Resolve = (node: Node) => readonly string[]

const DEPTH_MAX = 40
const CANDIDATES_MAX = 8
const REQUIRE =
  /^(?:globals\.(?:require|module\.require|process\.mainModule\.require|process\.getBuiltinModule)|module\.createRequire\(\)|process\.getBuiltinModule)$/
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/^globals\.(?:globalThis|window|self|global|top|frames)\b/, 'globals'],
  [/^process\.(?=\w)/, 'globals.process.'],
  [/(?<=\w)\.default\b/g, ''],
  [/\.(?:call|apply|bind\(\))$/, ''],
  [/^(?:util|globals\.util)\.promisify\(\)$/, '?'],
]

export function isRequire(path: string): boolean {
  return REQUIRE.test(path)
}

export function createResolver(syntax: Syntax, bindings: Bindings, spend: () => void): Resolve {
  const memo = new Map<Node, readonly string[]>()
  return (node) => resolve(node, 0)

  function resolve(node: Node, depth: number): readonly string[] {
    spend()
    if (depth > DEPTH_MAX) return ['?']
    const known = memo.get(node)
    if (known) return known
    memo.set(node, ['?'])
    const paths = Array.from(new Set(find(node, depth).map(canonical))).slice(0, CANDIDATES_MAX)
    memo.set(node, paths)
    return paths
  }

  function find(node: Node, depth: number): readonly string[] {
    const kids = syntax.kids(node)
    const at = (index: number): readonly string[] => {
      const kid = kids.at(index)
      return kid === undefined ? [] : resolve(kid, depth + 1)
    }
    switch (syntax.name(node)) {
      case 'VariableName':
        return variable(node, depth)
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
        return at(1)
      case 'PostfixExpression':
      case 'BinaryExpression': // `x as T`, `x!`, `a || b`
        return /^(?:as|satisfies|LogicOp)$/.test(syntax.name(kids[1] ?? -1)) ? [...at(0), ...at(2)] : []
      case 'SequenceExpression':
        return at(-1)
      case 'ConditionalExpression':
        return [...at(2), ...at(4)]
      case 'MemberExpression':
        return member(node, depth)
      case 'DynamicImport': {
        const module = stringOf(syntax, kids[2] ?? -1)
        return module === null ? ['?'] : [moduleName(module)]
      }
      case 'CallExpression':
      case 'NewExpression':
        return called(node, depth)
      case 'ArrowFunction':
      case 'FunctionExpression':
      case 'ClassExpression':
        return [A_FUNCTION]
      default:
        return []
    }
  }

  function variable(node: Node, depth: number): readonly string[] {
    const name = syntax.textOf(node)
    const { bindings: found, open } = bindings.reaching(name, node)
    const paths = found.flatMap((one) => {
      if (one.path !== undefined) return [one.path]
      if (one.value === undefined) return ['?']
      const roots = orUnknown(resolve(one.value, depth + 1))
      return one.member === undefined ? roots : roots.map((root) => `${root}.${one.member}`)
    })
    return open ? [...paths, `globals.${name}`] : paths
  }

  function member(start: Node, depth: number): readonly string[] {
    const tail: string[] = []
    let at = start
    while (syntax.name(at) === 'MemberExpression') {
      spend()
      const kids = syntax.kids(at)
      const property = kids.at(-1) ?? -1
      const computed = syntax.name(property) === ']'
      const key = computed ? stringOf(syntax, kids.at(-2) ?? -1) : syntax.textOf(property)
      tail.push(key ?? '?')
      at = kids[0] ?? -1
    }
    const path = tail.slice(0, 8).toReversed().join('.')
    return orUnknown(resolve(at, depth + 1)).map((root) => `${root}.${path}`)
  }

  function called(node: Node, depth: number): readonly string[] {
    const kids = syntax.kids(node)
    const callee = syntax.name(node) === 'NewExpression' ? kids[1] : kids[0]
    if (callee === undefined) return []
    return orUnknown(resolve(callee, depth + 1)).flatMap((path) => {
      const [first] = argumentsOf(syntax, node)
      if (REQUIRE.test(path)) {
        const module = first === undefined ? null : stringOf(syntax, first)
        return module === null ? ['?'] : [moduleName(module)]
      }
      if (/^(?:util|globals\.util)\.promisify$/.test(path) && first !== undefined)
        return orUnknown(resolve(first, depth + 1))
      if (/^globals\.(?:Object|Reflect)\.getPrototypeOf$/.test(path) && first !== undefined)
        return orUnknown(resolve(first, depth + 1))
      return [`${path}()`]
    })
  }
}

export function argumentsOf(syntax: Syntax, call: Node): readonly Node[] {
  const list = syntax.kids(call).find((kid) => syntax.name(kid) === 'ArgList')
  if (list === undefined) return []
  return syntax
    .kids(list)
    .filter((kid) => !/^(?:[(),]|Spread|LineComment|BlockComment|⚠)$/.test(syntax.name(kid)))
}

/** The text of a literal: a string, a template without holes, or several added up. Null: computed. */
export function stringOf(syntax: Syntax, node: Node, depth = 0): string | null {
  const text = syntax.textOf(node)
  switch (syntax.name(node)) {
    case 'String':
      return unescaped(text.slice(1, -1))
    case 'TemplateString':
      return syntax.kids(node).some((kid) => syntax.name(kid) === 'Interpolation')
        ? null
        : unescaped(text.slice(1, -1))
    case 'ParenthesizedExpression':
      return depth > DEPTH_MAX ? null : stringOf(syntax, syntax.kids(node)[1] ?? -1, depth + 1)
    case 'BinaryExpression': {
      const [left, operator, right] = syntax.kids(node)
      if (depth > DEPTH_MAX || operator === undefined || syntax.textOf(operator) !== '+') return null
      const [a, b] = [stringOf(syntax, left ?? -1, depth + 1), stringOf(syntax, right ?? -1, depth + 1)]
      return a === null || b === null ? null : a + b
    }
    default:
      return null
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([^xu]))/g,
    (_, x?: string, u?: string, char?: string) =>
      x === undefined && u === undefined ? (char ?? '') : String.fromCharCode(parseInt(x ?? u ?? '', 16)),
  )
}

function orUnknown(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? ['?'] : paths
}

function canonical(path: string): string {
  let name = path.length > 400 ? path.slice(-400) : path
  for (const [pattern, to] of SYNONYMS) name = name.replace(pattern, to)
  return name
}
