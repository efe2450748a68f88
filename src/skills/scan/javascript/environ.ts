// Whether process.env is taken as a whole: one variable by name is harmless, an `env` for a child process too.

import { oncePerNode } from '../once-per-node.ts'
import type { Node, Syntax } from '../syntax.ts'
import { SCOPES } from './collect.ts'
import { isNetworkCall } from './paths.ts'
import type { Resolve } from './resolve.ts'

const DUMPS =
  /^globals\.(?:JSON\.stringify|Object\.(?:entries|values|keys|fromEntries)|String|console\.\w+|structuredClone)$/
const PASSES_ON = new Set([
  'ParenthesizedExpression',
  'ConditionalExpression',
  'ObjectExpression',
  'BinaryExpression',
])

/**
 * Answers whether a node that stands for the environment is listed, turned into text or handed to the network. Handing
 * it to a function of the file is not: tools do that to be testable.
 */
export function createBulkTest(syntax: Syntax, resolve: Resolve, spend: () => void): (node: Node) => boolean {
  const bulk = oncePerNode(find)
  return bulk

  function find(node: Node): boolean {
    spend()
    const parent = syntax.parent(node)
    const kids = syntax.kids(parent)
    const name = syntax.name(parent)
    if (PASSES_ON.has(name)) return bulk(parent)
    switch (name) {
      case 'Property': {
        const key = syntax.name(kids[0] ?? -1) === 'Spread' ? null : syntax.textOf(kids[0] ?? -1)
        return key === 'env' ? false : bulk(syntax.parent(parent))
      }
      case 'ArgList':
        return resolve(calleeOf(syntax, syntax.parent(parent))).some((path) =>
          /^globals\.Object\.assign$/.test(path)
            ? bulk(syntax.parent(parent))
            : DUMPS.test(path) || isNetworkCall(path),
        )
      case 'VariableDeclaration':
      case 'ParamList': {
        const target = kids[kids.indexOf(node) - 2] ?? -1
        if (syntax.name(target) === 'VariableDefinition') return variableInBulk(target)
        return /\.\.\./.test(syntax.textOf(target))
      }
      case 'Interpolation':
      case 'ForInSpec':
      case 'ForOfSpec':
        return true
      default:
        return false
    }
  }

  function variableInBulk(target: Node): boolean {
    const scope = Math.max(0, syntax.above(target, SCOPES))
    const name = syntax.textOf(target)
    for (let use = target + 1; use < syntax.size && syntax.within(use, scope); use++) {
      spend()
      if (syntax.name(use) === 'VariableName' && syntax.textOf(use) === name && bulk(use)) return true
    }
    return false
  }
}

export function calleeOf(syntax: Syntax, call: Node): Node {
  const [first, second] = syntax.kids(call)
  return (syntax.name(call) === 'NewExpression' ? second : first) ?? -1
}
