// What the rules of one Python file share: the tree, its names, and what only the whole file shows.

import type { Rule } from '../report.ts'
import type { Node, Syntax } from '../syntax.ts'
import * as paths from './paths.ts'
import type { Resolve } from './resolve.ts'

export interface PythonFile {
  readonly syntax: Syntax
  readonly resolve: Resolve
  /** What a name is given where it is set, one step back; none for what is not such a name. */
  readonly valuesOf: (node: Node) => readonly Node[]
  /** For a node that stands for os.environ: whether all of it is taken. */
  readonly isBulk: (node: Node) => boolean
  /** False for a name that nothing the rules know was given to. */
  readonly matters: (name: string) => boolean
  /** The file speaks of processes: `shell=True` then counts whatever is called. */
  readonly startsProcesses: boolean
  readonly seen: Seen
  readonly add: (rule: Rule, node: Node, seen: string) => void
}

export interface Seen {
  readonly sinks: Node[]
  readonly sensitive: Node[]
  readonly environments: Node[]
  readonly duplicates: Node[]
  socket: boolean
  process: boolean
}

/** Remembers what a path does, for the rules that need two things in one file. */
export function notice(path: string, node: Node, seen: Seen): void {
  if (paths.isNetworkCall(path)) seen.sinks.push(node)
  if (/^socket\.(?!gethostname)/.test(path)) seen.socket = true
  if (paths.PROCESS.test(path) || paths.SHELL.test(path)) seen.process = true
  if (path === 'os.dup2') seen.duplicates.push(node)
}

const LOADS = new Set(
  'ArgList AssignStatement ParamList NamedExpression ReturnStatement ArrayExpression TupleExpression DictionaryExpression SetExpression ConditionalExpression BinaryExpression LambdaExpression ParenthesizedExpression YieldStatement YieldExpression'.split(
    ' ',
  ),
)

/** True where a value is taken, not where a name is bound or a keyword written. */
export function isLoad(syntax: Syntax, node: Node, parent: Node): boolean {
  const name = syntax.name(parent)
  if (!LOADS.has(name)) return false
  const kids = syntax.kids(parent)
  const index = kids.indexOf(node)
  const next = syntax.name(kids[index + 1] ?? -1)
  if (name === 'ArgList') return next !== 'AssignOp'
  if (name === 'ParamList') return syntax.name(kids[index - 1] ?? -1) === 'AssignOp'
  if (name === 'NamedExpression') return index > 0
  return name !== 'AssignStatement' || !kids.slice(index).some((kid) => syntax.name(kid) === 'AssignOp')
}

/** A handle that goes where names do not follow it: as an argument, an answer, an attribute. */
export function isGivenAway(syntax: Syntax, node: Node): boolean {
  const parent = syntax.parent(node)
  const kids = syntax.kids(parent)
  const name = syntax.name(parent)
  if (name === 'AssignStatement')
    return kids.slice(0, kids.indexOf(node)).some((kid) => syntax.name(kid) === 'MemberExpression')
  return LOADS.has(name) && isLoad(syntax, node, parent)
}
