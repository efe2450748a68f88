// Whether the environment is taken as a whole: one variable by name is harmless, a copy for a subprocess too.

import { oncePerNode } from '../once-per-node.ts'
import type { Node, Syntax } from '../syntax.ts'
import { SCOPES } from './collect.ts'
import { TAKES_ENVIRONMENT } from './paths.ts'
import type { Resolve } from './resolve.ts'

const BY_NAME = new Set([
  'get',
  'pop',
  'setdefault',
  '__getitem__',
  '__contains__',
  '__setitem__',
  'update',
  'clear',
  'putenv',
])
const COPIES =
  /^(?:builtins\.dict|copy\.(?:deep)?copy|types\.MappingProxyType|collections\.(?:ChainMap|OrderedDict))$/
const LOOKS_ONLY = /^builtins\.(?:len|bool|isinstance|type|id)$|(?:^|\.)patch\.dict$/
/** What is called so goes to a child process. */
const ENVIRONMENT = /env(?:iron(?:ment)?)?(?:_?vars)?$/i
const PASSES_ON = new Set([
  'ParenthesizedExpression',
  'ConditionalExpression',
  'DictionaryExpression',
  'NamedExpression',
])
const HARMLESS = new Set([
  'ExpressionStatement',
  'DeleteStatement',
  'UnaryExpression',
  'IfStatement',
  'TypeDef',
])

/** Answers whether a node that stands for the environment, or for a copy of it, is used as a whole. */
export function createBulkTest(syntax: Syntax, resolve: Resolve, spend: () => void): (node: Node) => boolean {
  const bulk = oncePerNode(find)
  const functions = new Map<string, readonly Node[]>()
  let index: ReadonlyMap<string, readonly Node[]> | null = null
  return bulk

  function find(node: Node): boolean {
    spend()
    const parent = syntax.parent(node)
    const name = syntax.name(parent)
    const kids = syntax.kids(parent)
    const at = kids.indexOf(node)
    if (HARMLESS.has(name)) return false
    if (PASSES_ON.has(name)) return bulk(parent)
    switch (name) {
      case 'MemberExpression': {
        const property = kids.at(-1) ?? -1
        if (at !== 0 || syntax.name(property) !== 'PropertyName') return at !== 0
        const word = syntax.textOf(property)
        return word === 'copy' ? bulk(syntax.parent(parent)) : !BY_NAME.has(word)
      }
      case 'CallExpression': // a copy() that is called: what counts is where the copy goes
        return at === 0 ? bulk(parent) : true
      case 'BinaryExpression': {
        const operator = syntax.name(kids[at - 1] ?? -1)
        return operator === 'in' ? false : bulk(parent)
      }
      case 'ArgList':
        return inCall(syntax.parent(parent), kids, at)
      case 'AssignStatement': {
        const targets = kids.slice(0, at).filter((kid) => syntax.name(kid) === 'VariableName')
        const isTarget = kids.slice(at).some((kid) => syntax.name(kid) === 'AssignOp')
        const named = kids
          .slice(0, at)
          .some((kid) => syntax.name(kid) === 'MemberExpression' && !ENVIRONMENT.test(syntax.textOf(kid)))
        return isTarget ? false : named || targets.some(variableInBulk)
      }
      case 'ReturnStatement': {
        const made = syntax.above(parent, SCOPES)
        const callers = callsOf(made)
        return callers === null || callers.some(bulk)
      }
      case 'UpdateStatement':
        return at === 0 ? false : variableInBulk(kids[0] ?? -1)
      default:
        return true
    }
  }

  function inCall(call: Node, args: readonly Node[], at: number): boolean {
    const paths = resolve(syntax.kids(call)[0] ?? -1)
    const keyword = syntax.name(args[at - 1] ?? -1) === 'AssignOp' ? syntax.textOf(args[at - 2] ?? -1) : null
    if (keyword !== null && ENVIRONMENT.test(keyword)) return false
    if (paths.some(TAKES_ENVIRONMENT)) return !(keyword === 'env' || keyword === null)
    if (paths.some((path) => COPIES.test(path))) return bulk(call)
    if (paths.some((path) => LOOKS_ONLY.test(path))) return false
    const callee = syntax.kids(call)[0] ?? -1
    const [object, , method] = syntax.kids(callee)
    if (
      method !== undefined &&
      syntax.textOf(method) === 'update' &&
      syntax.name(object ?? -1) === 'VariableName'
    )
      return variableInBulk(object ?? -1)
    const parameter = parameterOf(
      callee,
      keyword,
      args.slice(0, at).filter((arg) => syntax.name(arg) === ',').length,
    )
    return parameter === null || variableInBulk(parameter)
  }

  /** Where an argument arrives when the function stands in this file; null when it does not. */
  function parameterOf(callee: Node, keyword: string | null, position: number): Node | null {
    const own = /^(?:self\.|cls\.)?(\w+)$/.exec(syntax.textOf(callee))?.[1]
    const found = own === undefined ? [] : functionsNamed(own)
    const list =
      found.length === 1
        ? syntax.kids(found[0] ?? -1).find((kid) => syntax.name(kid) === 'ParamList')
        : undefined
    if (list === undefined) return null
    const kids = syntax.kids(list)
    const names = kids.filter(
      (kid, index) =>
        syntax.name(kid) === 'VariableName' && syntax.name(kids[index - 1] ?? -1) !== 'AssignOp',
    )
    const bound = syntax.name(callee) === 'MemberExpression' ? 1 : 0
    const parameter =
      keyword === null ? names[position + bound] : names.find((name) => syntax.textOf(name) === keyword)
    return parameter === undefined || kids.some((kid) => syntax.name(kid) === '**') ? null : parameter
  }

  function functionsNamed(name: string): readonly Node[] {
    const known = functions.get(name)
    if (known) return known
    const found = uses(name)
      .map((use) => syntax.parent(use))
      .filter((parent) => syntax.name(parent) === 'FunctionDefinition' && nameOf(parent) === name)
    functions.set(name, found)
    return found
  }

  function nameOf(definition: Node): string {
    return syntax.textOf(syntax.kids(definition).find((kid) => syntax.name(kid) === 'VariableName') ?? -1)
  }

  /** The calls of a function of this file, as far as its name is only called; null when it is handed on. */
  function callsOf(definition: Node): readonly Node[] | null {
    if (syntax.name(definition) !== 'FunctionDefinition') return null
    const calls: Node[] = []
    for (const use of uses(nameOf(definition))) {
      spend()
      const holder = syntax.parent(use)
      if (holder === definition) continue
      const callee = syntax.name(use) === 'PropertyName' ? holder : use
      const call = syntax.parent(callee)
      if (syntax.name(call) !== 'CallExpression' || syntax.kids(call)[0] !== callee) return null
      calls.push(call)
    }
    return calls
  }

  function variableInBulk(target: Node): boolean {
    if (syntax.name(target) !== 'VariableName') return true
    const scope = Math.max(0, syntax.above(target, SCOPES))
    return uses(syntax.textOf(target)).some((use) => {
      spend()
      if (use <= target || !syntax.within(use, scope) || syntax.name(use) !== 'VariableName') return false
      return !isKeyword(use) && bulk(use)
    })
  }

  function isKeyword(use: Node): boolean {
    const siblings = syntax.kids(syntax.parent(use))
    const next = siblings[siblings.indexOf(use) + 1]
    return (
      syntax.name(syntax.parent(use)) === 'ArgList' && next !== undefined && syntax.name(next) === 'AssignOp'
    )
  }

  /** Everything in the file that is called so. */
  function uses(name: string): readonly Node[] {
    index ??= namesIn(syntax)
    return index.get(name) ?? []
  }
}

function namesIn(syntax: Syntax): ReadonlyMap<string, readonly Node[]> {
  const index = new Map<string, Node[]>()
  for (let node = 0; node < syntax.size; node++) {
    if (syntax.name(node) !== 'VariableName' && syntax.name(node) !== 'PropertyName') continue
    const name = syntax.textOf(node)
    const list = index.get(name)
    if (list) list.push(node)
    else index.set(name, [node])
  }
  return index
}
