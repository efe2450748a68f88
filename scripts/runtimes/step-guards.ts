// Adds a step counter to JavaScript: at the start of each function and each loop iteration. Counted code can be
// stopped from outside, whatever it computes. Never runs the code.

import { parse, type AnyNode } from 'acorn'
import { fullAncestor } from 'acorn-walk'
import MagicString from 'magic-string'

/** Names of the counter's parts. Guarded code must not contain them. */
const LEFT = '__stepsLeft'
const SPENT = '__stepsSpent'
const DUE = '__restDue'
const REST = '__restNow'
/** The additional export of a guarded module. */
const CONTROLS = 'stepControls'

const COUNT = `if(--${LEFT}<0)${SPENT}();`
const COUNT_IN_EXPRESSION = `(--${LEFT}<0&&${SPENT}(),`
const PAUSE = `if(${DUE})await ${REST}();`

/**
 * The counter itself, inserted before the code. `slow` is called when a slice of steps is used up: it returns the
 * next slice or throws; after a throw each further step calls it again, so that no `catch` can continue. The next
 * iteration of a loop in an async function awaits `rest` once `due()` was called. All steps before `arm` belong to
 * the loading of the module.
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
 * The same module with guards. Throws acorn's error if `source` is not a module, and if it uses one of the
 * counter's names.
 */
export function guardSteps(source: string): string {
  const taken = [LEFT, SPENT, DUE, REST, CONTROLS, '__slow', '__rest'].find((name) => source.includes(name))
  if (taken !== undefined) throw new Error(`The code to be guarded uses the name ${taken} itself.`)
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  const edited = new MagicString(source)
  // Children before their parents: an insertion at a child's start precedes it, one at its end follows it.
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
    // A comment with a brace may be between `static` and `{`; the first statement is unambiguous.
    edited.prependRight(node.body[0]?.start ?? node.end - 1, COUNT)
  } else if (isFunction(node)) {
    if (node.body.type === 'BlockStatement') guardBody(edited, node.body)
    else {
      edited.prependRight(node.body.start, COUNT_IN_EXPRESSION)
      edited.appendLeft(node.body.end, ')')
    }
  }
}

/** Whether the innermost function around a node is async; the last of `above` is the node itself. */
function mayWait(above: readonly AnyNode[]): boolean {
  const inner = above.findLast((node) => isFunction(node) || node.type === 'StaticBlock')
  return inner !== undefined && isFunction(inner) && inner.async
}

/** After the directives ('use strict'), which only count at the beginning. */
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
