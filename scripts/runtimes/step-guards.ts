// Puts a step counter into JavaScript: at the start of each function and of each turn of a loop. What is counted can be
// stopped from outside, whatever it computes. It never runs the code and knows nothing of what it does.

import { parse, type AnyNode } from 'acorn'
import { fullAncestor } from 'acorn-walk'
import MagicString from 'magic-string'

/** Names of the counter's parts. No code that is to be guarded may hold one of them. */
const LEFT = '__stepsLeft'
const SPENT = '__stepsSpent'
const DUE = '__restDue'
const REST = '__restNow'
/** What a guarded module exports besides its own. */
const CONTROLS = 'stepControls'

const COUNT = `if(--${LEFT}<0)${SPENT}();`
const COUNT_IN_EXPRESSION = `(--${LEFT}<0&&${SPENT}(),`
const PAUSE = `if(${DUE})await ${REST}();`

/**
 * The counter itself, put before the code. `slow` is called when a slice of steps is used up: it gives the next slice
 * or throws; after a throw each further step calls it again, so that no `catch` goes on. `rest` is awaited by the next
 * turn of a loop of an async function, once `due()` was called: nothing may run beside such a loop that minds. All steps before `arm` belong to the loading of the module.
 */
const PRELUDE = `
let ${LEFT}=1e9,${DUE}=false,__slow=()=>1e9,__rest=async()=>{};
const ${SPENT}=()=>{${LEFT}=__slow(-${LEFT})};
const ${REST}=()=>{${DUE}=false;return __rest()};
export const ${CONTROLS}={
arm(first,slow,rest){${LEFT}=first;${DUE}=false;__slow=slow;__rest=rest},
left(){return ${LEFT}},
due(){${DUE}=true}
};
`

type Loop = Extract<
  AnyNode,
  { type: 'ForStatement' | 'ForInStatement' | 'ForOfStatement' | 'WhileStatement' | 'DoWhileStatement' }
>

/**
 * The same module with guards. Throws what acorn throws when `source` is no module, and where the source uses one of
 * the counter's own names.
 */
export function guardSteps(source: string): string {
  const taken = [LEFT, SPENT, DUE, REST, CONTROLS, '__slow', '__rest'].find((name) => source.includes(name))
  if (taken !== undefined) throw new Error(`The code to be guarded uses the name ${taken} itself.`)
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  const edited = new MagicString(source)
  // Children come before their parents: what starts where its child starts goes before it, what ends with it after it.
  fullAncestor(tree, (node, _state, above) => guardNode(edited, node, above))
  edited.prepend(PRELUDE)
  return edited.toString()
}

function guardNode(edited: MagicString, node: AnyNode, above: readonly AnyNode[]): void {
  if (isLoop(node)) {
    const guard = mayWait(above) ? COUNT + PAUSE : COUNT
    if (node.body.type === 'BlockStatement') edited.prependRight(node.body.start + 1, guard)
    else {
      edited.prependRight(node.body.start, `{${guard}`)
      edited.appendLeft(node.body.end, '}')
    }
  } else if (node.type === 'StaticBlock') {
    // `static` and `{` may have a comment between them, which may hold a brace: the first statement cannot.
    edited.prependRight(node.body[0]?.start ?? node.end - 1, COUNT)
  } else if (isFunction(node)) {
    if (node.body.type === 'BlockStatement') guardBody(edited, node.body)
    else {
      edited.prependRight(node.body.start, COUNT_IN_EXPRESSION)
      edited.appendLeft(node.body.end, ')')
    }
  }
}

/** Whether the innermost function around a node is an async one; of `above` the last is the node itself. */
function mayWait(above: readonly AnyNode[]): boolean {
  const inner = above.findLast((node) => isFunction(node) || node.type === 'StaticBlock')
  return inner !== undefined && isFunction(inner) && inner.async
}

/** Behind the directives ('use strict'), which count only where they come first. */
function guardBody(edited: MagicString, body: Extract<AnyNode, { type: 'BlockStatement' }>): void {
  const directives = body.body.filter((one) => one.type === 'ExpressionStatement' && one.directive)
  const last = directives.at(-1)
  if (last) edited.appendLeft(last.end, `;${COUNT}`)
  else edited.prependRight(body.start + 1, COUNT)
}

function isLoop(node: AnyNode): node is Loop {
  return /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)
}

function isFunction(
  node: AnyNode,
): node is Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
> {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
}
