// What an expression of a Python file names: `os.system`, however it was imported, aliased or looked up.

import type { Node, Syntax } from '../syntax.ts'
import { argumentsOf } from './arguments.ts'
import type { Names } from './collect.ts'
import { stringValue } from './literals.ts'
import { isStarred } from './star-exports.ts'

/**
 * Every path the expression may name: 'os.system', 'builtins.eval', 'requests.Session()' for what a call gives.
 * A path that starts with '?' has an unknown root: '?.os.system'. Empty: not a name at all.
 */
export type Resolve = (node: Node) => readonly string[]

const CANDIDATES_MAX = 8
const DEPTH_MAX = 40
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:posix|nt)\./, 'os.'],
  [/^__builtin__\b/, 'builtins'],
  [/^(?:six\.moves|future\.moves)\./, ''],
  [/^urllib2\./, 'urllib.request.'],
  [/^httplib\./, 'http.client.'],
  [/^builtins\.__builtins__\b/, 'builtins'],
  // A module reached through another one, or through an object: shutil.os.system, self.os.system.
  [/^.+\.(os|subprocess|builtins)\.(?=\w+$)/, '$1.'],
  [/^\w.*\.socket\.(?=\w+$)/, 'socket.'],
]

export function createResolver(syntax: Syntax, { bindings, attributes }: Names, spend: () => void): Resolve {
  const memo = new Map<Node, readonly string[]>()
  return (node) => resolve(node, 0)

  function resolve(start: Node, depth: number): readonly string[] {
    spend()
    if (depth > DEPTH_MAX) return ['?']
    const known = memo.get(start)
    if (known) return known
    memo.set(start, ['?']) // a value that refers to itself
    const paths = Array.from(new Set(find(start, depth).map(canonical))).slice(0, CANDIDATES_MAX)
    memo.set(start, paths)
    return paths
  }

  function find(node: Node, depth: number): readonly string[] {
    const kids = syntax.kids(node)
    switch (syntax.name(node)) {
      case 'VariableName':
        return variable(syntax.textOf(node).normalize('NFKC'), node, depth)
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'NamedExpression':
        return kids
          .slice(1)
          .flatMap((kid) => (/^[():]|AssignOp|⚠/.test(syntax.name(kid)) ? [] : resolve(kid, depth + 1)))
      case 'ConditionalExpression':
        return [kids[0], kids[4]].flatMap((kid) => (kid === undefined ? [] : resolve(kid, depth + 1)))
      case 'BinaryExpression':
        return /^(?:and|or)$/.test(syntax.name(kids[1] ?? -1))
          ? [kids[0], kids[2]].flatMap((kid) => (kid === undefined ? [] : resolve(kid, depth + 1)))
          : []
      case 'MemberExpression':
        return member(node, depth)
      case 'CallExpression':
        return called(node, depth)
      case 'Decorator':
        return decorator(kids, node, depth)
      default:
        return []
    }
  }

  function variable(name: string, use: Node, depth: number): readonly string[] {
    const { bindings: found, open, stars } = bindings.reaching(name, use)
    const paths = found.flatMap((one) =>
      one.path === undefined
        ? one.value === undefined
          ? ['?']
          : orUnknown(resolve(one.value, depth + 1))
        : [one.path],
    )
    const starred = stars.map((star) => canonical(`${star}.${name}`)).filter(isStarred)
    return [...paths, ...starred, ...(open ? [`builtins.${name}`] : [])]
  }

  // Long chains are walked, not recursed: a.b.c…
  function member(node: Node, depth: number): readonly string[] {
    const tail: string[] = []
    let at = node
    let special: readonly string[] | null = null
    while (syntax.name(at) === 'MemberExpression' && !special) {
      spend()
      const kids = syntax.kids(at)
      const property = kids.at(-1) ?? -1
      if (syntax.name(property) === 'PropertyName') tail.push(syntax.textOf(property).normalize('NFKC'))
      else {
        const key = kids[2] === undefined ? null : stringValue(syntax, kids[2])
        if (key === null) return ['?' + suffix(tail)]
        special = subscript(kids[0] ?? -1, key, depth)
      }
      at = kids[0] ?? -1
    }
    const first = tail.at(-1)
    const roots = special ?? orUnknown(resolve(at, depth + 1))
    return roots.flatMap((root) => {
      const path = root + suffix(tail)
      if (!root.startsWith('?') && !root.endsWith('()')) return [path]
      const given = first === undefined ? [] : (attributes.get(first) ?? [])
      return [
        path,
        ...given.flatMap((value) => resolve(value, depth + 1)).map((one) => one + suffix(tail.slice(0, -1))),
      ]
    })
  }

  // sys.modules["os"], os.__dict__["system"], vars(os)["system"], globals()["os"], __builtins__["eval"]
  function subscript(object: Node, key: string, depth: number): readonly string[] {
    return orUnknown(resolve(object, depth + 1)).flatMap((path) => {
      if (path === 'sys.modules') return [key]
      if (path === 'builtins.globals()' || path === 'builtins.locals()')
        return variable(key, object, depth + 1)
      if (path.endsWith('.__dict__')) return [`${path.slice(0, -'.__dict__'.length)}.${key}`]
      if (path === 'builtins') return [`builtins.${key}`]
      if (path !== 'builtins.vars()') return ['?']
      const [module] = argumentsOf(syntax, object).positional
      return module === undefined
        ? ['?']
        : orUnknown(resolve(module, depth + 1)).map((one) => `${one}.${key}`)
    })
  }

  function called(node: Node, depth: number): readonly string[] {
    const callee = syntax.kids(node)[0] ?? -1
    return orUnknown(resolve(callee, depth + 1)).flatMap((path) => {
      const given = argumentsOf(syntax, node)
      const [first, second] = given.positional
      const literal = (value: Node | undefined): string | null =>
        value === undefined ? null : stringValue(syntax, value)
      if (path === 'builtins.getattr' && first !== undefined) {
        const name = literal(second)
        return name === null ? ['?'] : orUnknown(resolve(first, depth + 1)).map((one) => `${one}.${name}`)
      }
      if (path.endsWith('.__getattribute__')) {
        const name = literal(first)
        return name === null ? ['?'] : [`${path.slice(0, -'.__getattribute__'.length)}.${name}`]
      }
      if (path === 'builtins.__import__' || /^importlib\.(?:import_module|__import__)$/.test(path)) {
        const module = literal(first ?? given.named.get('name'))
        if (module === null) return ['?']
        return path === 'importlib.import_module' ? [module] : [module, module.split('.')[0] ?? module]
      }
      return [`${path}()`]
    })
  }

  function decorator(kids: readonly Node[], node: Node, depth: number): readonly string[] {
    const words = kids.filter((kid) => syntax.name(kid) === 'VariableName').map((kid) => syntax.textOf(kid))
    const [root, ...rest] = words
    return root === undefined ? [] : variable(root, node, depth).map((path) => [path, ...rest].join('.'))
  }
}

function suffix(tail: readonly string[]): string {
  // The last names of a long chain tell what is meant.
  return tail.length === 0 ? '' : `.${tail.slice(0, 8).toReversed().join('.')}`
}

function orUnknown(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? ['?'] : paths
}

function canonical(path: string): string {
  let name = path.length > 400 ? path.slice(-400) : path
  for (const [pattern, to] of SYNONYMS) name = name.replace(pattern, to)
  return name
}
