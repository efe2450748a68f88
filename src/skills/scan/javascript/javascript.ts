// The JavaScript rules over one file. Calls count, mentions in comments and strings do not.

import type { Steps } from '../../../lib/steps.ts'
import { SCAN_STEPS_JAVASCRIPT_MAX } from '../../../limits.ts'
import { quoted } from '../../format/finding.ts'
import { isSensitivePath } from '../hosts.ts'
import type { Report, Rule } from '../report.ts'
import type { Source } from '../source.ts'
import type { Node, Syntax } from '../syntax.ts'
import { startTally } from '../tally.ts'
import type { Tally } from '../tally.ts'
import { collectNames } from './collect.ts'
import { calleeOf, createBulkTest } from './environ.ts'
import { hiddenName, parseJavascript } from './parse-javascript.ts'
import * as paths from './paths.ts'
import { argumentsOf, createResolver, isRequire, stringOf } from './resolve.ts'
import type { Resolve } from './resolve.ts'
import * as rules from './rules.ts'

export function* javascriptIn(source: Source, report: Report): Steps<void> {
  const text = source.text ?? ''
  const syntax = yield* parseJavascript(source.path, text)
  if (!syntax) return yield* largeJavascriptIn(source, report)
  const hidden = hiddenName(syntax)
  if (hidden)
    report.add(
      rules.UNPARSABLE,
      source.path,
      source.lineAt(hidden.offset),
      `What cannot be parsed names ${quoted(hidden.name)}`,
    )
  else if (syntax.errors.length > 0)
    report.add(
      rules.PARSED_IN_PART,
      source.path,
      source.lineAt(syntax.from(syntax.errors[0] ?? 0)),
      'It could be parsed in part only',
    )
  const tally = startTally(syntax, SCAN_STEPS_JAVASCRIPT_MAX)
  try {
    yield* walk(syntax, tally, (rule, node, seen) =>
      report.add(rule, source.path, source.lineAt(syntax.from(node)), seen),
    )
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    report.add(rules.UNPARSABLE, source.path, null, 'Its names are too entangled to follow')
  }
}

const NAMES_THAT_MATTER =
  /\b(?:eval|new\s{1,20}Function)\s{0,20}\(|\bchild_process\b|\brunIn(?:New|This)?Context\b|\.constructor\s{0,20}(?:\.\s{0,20}constructor\b|\(\s{0,20}["'`])/

/** More than is parsed: it passes with a warning when none of the names that run code or programs stands in it. */
export function* largeJavascriptIn(source: Source, report: Report): Steps<void> {
  yield (source.text ?? '').length * SEARCHED
  const found = NAMES_THAT_MATTER.exec(source.text ?? '')
  if (found)
    report.add(
      rules.UNPARSABLE,
      source.path,
      source.lineAt(found.index),
      `It is too large or too deep to be parsed, and has ${quoted(found[0])} in it`,
    )
  else report.add(rules.PARSED_IN_PART, source.path, null, 'It is too large or too deep to be parsed')
}

// Microseconds that a character takes.
const SEARCHED = 0.01

type Add = (rule: Rule, node: Node, seen: string) => void

interface Seen {
  sink: Node | null
  socket: Node | null
  shell: Node | null
  readonly sensitive: Node[]
  readonly environments: Node[]
}

function* walk(syntax: Syntax, tally: Tally, add: Add): Steps<void> {
  const { spend } = tally
  const bindings = yield* collectNames(syntax, tally)
  const resolve = createResolver(syntax, bindings, spend)
  const isBulk = createBulkTest(syntax, resolve, spend)
  const seen: Seen = { sink: null, socket: null, shell: null, sensitive: [], environments: [] }
  for (let node = 0; node < syntax.size; node++) {
    if (tally.isDue(node)) yield tally.take()
    switch (syntax.name(node)) {
      case 'CallExpression':
      case 'NewExpression':
      case 'TaggedTemplateExpression':
        call(syntax, resolve, node, seen, add)
        break
      case 'DynamicImport': {
        const specifier = syntax.kids(node)[2]
        if (specifier !== undefined) imports(syntax, specifier, node, add)
        break
      }
      case 'VariableName':
      case 'MemberExpression':
        if (
          syntax.name(node) === 'MemberExpression' ||
          bindings.follows(syntax.textOf(node)) ||
          syntax.textOf(node) === 'eval'
        )
          reference(syntax, resolve, isBulk, node, seen, add)
        break
      case 'String':
      case 'TemplateString':
        if (isSensitivePath(syntax.textOf(node).slice(1, 1_000))) seen.sensitive.push(node)
        break
    }
  }
  for (const node of seen.sensitive)
    if (seen.sink === null) add(rules.SENSITIVE_READ, node, 'A path to keys or accounts')
    else add(rules.SENSITIVE_EXFIL, node, 'A path to keys or accounts beside a network call')
  if (seen.sink !== null)
    for (const node of seen.environments)
      add(rules.ENV_DUMP_EXFIL, node, 'process.env as a whole beside a network call')
  if (seen.socket !== null && seen.shell !== null)
    add(rules.REVERSE_SHELL, seen.shell, 'A raw socket and a shell')
}

function call(syntax: Syntax, resolve: Resolve, node: Node, seen: Seen, add: Add): void {
  const given = argumentsOf(syntax, node)
  const first = given[0] === undefined ? null : stringOf(syntax, given[0])
  for (const path of resolve(calleeOf(syntax, node))) {
    if (paths.CODE.test(path)) {
      // How libraries ask for the global object.
      if (!/^\s*return this;?\s*$/.test(first ?? ''))
        add(rules.DYNAMIC_CODE, node, quoted(path.replace(/^globals\./, '')))
    } else if (
      /^globals\.set(?:Timeout|Interval|Immediate)$/.test(path) &&
      syntax.name(given[0] ?? -1).endsWith('String')
    )
      add(rules.DYNAMIC_CODE, node, 'A timer with text for code')
    // A command that stands there in full can be read; one that is put together cannot.
    else if (paths.SHELL.test(path))
      add(first === null ? rules.SHELL_EXEC : rules.SUBPROCESS, node, quoted(path))
    else if (paths.PROCESS.test(path)) {
      const shell = given.slice(1).some((option) => asksForShell(syntax, option))
      add(shell && !isLiteral(syntax, given) ? rules.SHELL_EXEC : rules.SUBPROCESS, node, quoted(path))
    } else if (isRequire(path) && given[0] !== undefined) imports(syntax, given[0], node, add)
    if (paths.isNetworkCall(path)) seen.sink ??= node
    if (paths.SOCKET.test(path)) seen.socket ??= node
    if ((paths.SHELL.test(path) || paths.PROCESS.test(path)) && paths.SHELL_PROGRAM.test(first ?? ''))
      seen.shell ??= node
  }
}

function imports(syntax: Syntax, specifier: Node, node: Node, add: Add): void {
  const text = stringOf(syntax, specifier)
  if (text === null) add(rules.DYNAMIC_IMPORT, node, 'A module by a name that is not written out')
  else if (/^data:/i.test(text)) add(rules.DYNAMIC_CODE, node, 'A module out of a data: URL')
  else if (/^https?:/i.test(text)) add(rules.REMOTE_IMPORT, node, 'A module from the network')
}

/** `shell: false` and `shell: process.platform === 'win32'` (how npm is started on Windows) are not meant. */
function asksForShell(syntax: Syntax, option: Node): boolean {
  if (syntax.name(option) !== 'ObjectExpression') return false
  return syntax.kids(option).some((property) => {
    const [key, colon, value] = syntax.kids(property)
    if (key === undefined || !/^["']?shell["']?$/.test(syntax.textOf(key))) return false
    return colon === undefined || value === undefined || !/^false$|win/i.test(syntax.textOf(value))
  })
}

function isLiteral(syntax: Syntax, given: readonly Node[]): boolean {
  return given.every((node) => {
    const name = syntax.name(node)
    if (name === 'ArrayExpression')
      return syntax
        .kids(node)
        .every((kid) => /^[[\],]$/.test(syntax.name(kid)) || stringOf(syntax, kid) !== null)
    return name === 'ObjectExpression' || stringOf(syntax, node) !== null
  })
}

const HANDED = new Set([
  'ArgList',
  'AssignmentExpression',
  'VariableDeclaration',
  'ArrayExpression',
  'ReturnStatement',
  'Property',
  'SequenceExpression',
])

function reference(
  syntax: Syntax,
  resolve: Resolve,
  isBulk: (node: Node) => boolean,
  node: Node,
  seen: Seen,
  add: Add,
): void {
  const parent = syntax.parent(node)
  for (const path of resolve(node)) {
    if (path === 'globals.process.env' && isBulk(node)) seen.environments.push(node)
    // eval under another name, or handed on; `Function` alone is a type and a test.
    if (path === 'globals.eval' && HANDED.has(syntax.name(parent))) add(rules.DYNAMIC_CODE, node, "'eval'")
  }
}
