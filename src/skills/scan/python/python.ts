// The Python rules over one file. Calls count, mentions in comments and strings do not.

import type { Steps } from '../../../lib/steps.ts'
import { SCAN_STEPS_MAX } from '../../../limits.ts'
import { isOutboundUrl, isSensitivePath } from '../hosts.ts'
import { findNormal } from '../normal.ts'
import type { Report } from '../report.ts'
import type { Source } from '../source.ts'
import type { Node, Syntax } from '../syntax.ts'
import { startTally } from '../tally.ts'
import type { Tally } from '../tally.ts'
import { pythonCall } from './call.ts'
import { collectNames } from './collect.ts'
import { createBulkTest } from './environ.ts'
import type { PythonFile, Seen } from './file.ts'
import { isDocstring, stringValue } from './literals.ts'
import { parsePython } from './parse-python.ts'
import { pythonReference } from './reference.ts'
import { createResolver } from './resolve.ts'
import * as rules from './rules.ts'

const MESSAGE_OF_BUDGET = 'Its names are too entangled to follow'

export function* pythonIn(source: Source, report: Report): Steps<void> {
  const text = source.text ?? ''
  const parsed = yield* parsePython(text)
  if (!parsed.ok) {
    const found = yield* findNormal(text, NAMES_THAT_MATTER)
    const rule = found === null ? rules.PARSED_IN_PART : rules.UNPARSABLE
    report.add(rule, source.path, source.lineAt(parsed.offset), parsed.reason)
  }
  if (parsed.syntax) yield* judge(source, parsed.syntax, report)
}

/** An example in a document: judged as far as it can be parsed. */
export function* pythonExcerptIn(source: Source, report: Report): Steps<void> {
  const { syntax } = yield* parsePython(source.text ?? '')
  if (syntax) yield* judge(source, syntax, report)
}

function* judge(source: Source, syntax: Syntax, report: Report): Steps<void> {
  const tally = startTally(syntax, SCAN_STEPS_MAX)
  try {
    yield* walk(syntax, tally, (rule, node, seen) =>
      report.add(rule, source.path, source.lineAt(syntax.from(node)), seen),
    )
  } catch (thrown) {
    // The budget above, or a call stack: either way not all of the file was seen.
    if (!(thrown instanceof RangeError)) throw thrown
    report.add(rules.UNPARSABLE, source.path, null, MESSAGE_OF_BUDGET)
  }
}

const NAMES_THAT_MATTER =
  /\b(?:eval|exec|compile|system|popen|subprocess|environ|dup2|getattr|vars|globals|locals|importlib|commands|create_subprocess_shell)\b|__(?:import|builtins|dict|getattribute)__|coding[:=]|passwd|shadow|\.ssh|\.aws/

/** Code that is not text, or more than is parsed: it passes only when no name that the rules are about stands in it. */
export function* largePythonIn(source: Source, report: Report): Steps<void> {
  if (source.text === null) return report.add(rules.UNPARSABLE, source.path, null, 'It is not UTF-8 text')
  const found = yield* findNormal(source.text, NAMES_THAT_MATTER)
  if (found !== null)
    report.add(rules.UNPARSABLE, source.path, null, `It is too large to be parsed, and has ${found} in it`)
}

function* walk(syntax: Syntax, tally: Tally, add: PythonFile['add']): Steps<void> {
  const { spend } = tally
  const names = yield* collectNames(syntax, tally)
  const resolve = createResolver(syntax, names, spend)
  const seen: Seen = {
    sinks: [],
    sensitive: [],
    environments: [],
    duplicates: [],
    socket: false,
    process: false,
  }
  const file: PythonFile = {
    syntax,
    resolve,
    valuesOf: (node) => {
      if (syntax.name(node) !== 'VariableName') return []
      const { bindings, open } = names.bindings.reaching(syntax.textOf(node).normalize('NFKC'), node)
      const values = bindings.map((one) => one.value)
      return open || values.includes(undefined) ? [] : values.filter((value) => value !== undefined)
    },
    isBulk: createBulkTest(syntax, resolve, spend),
    matters: (name) =>
      names.bindings.follows(name) ||
      names.bindings.hasStars() ||
      /^(?:eval|exec|execfile|__builtins__|os)$/.test(name),
    startsProcesses: /\b(?:subprocess|create_subprocess|popen)/i.test(syntax.text),
    seen,
    add,
  }
  for (let node = 0; node < syntax.size; node++) {
    if (tally.isDue(node)) yield tally.take()
    switch (syntax.name(node)) {
      case 'CallExpression':
        pythonCall(file, node)
        break
      case 'Decorator':
      case 'VariableName':
      case 'MemberExpression':
        pythonReference(file, node)
        break
      case 'String':
      case 'FormatString':
      case 'ContinuedString':
      case 'BinaryExpression':
        text(syntax, node, seen)
        break
    }
  }
  const [sink] = seen.sinks
  for (const node of seen.sensitive)
    if (sink === undefined) add(rules.SENSITIVE_READ, node, 'A path to keys or accounts')
    else add(rules.SENSITIVE_EXFIL, node, 'A path to keys or accounts beside a network call')
  if (sink !== undefined)
    for (const node of seen.environments)
      add(rules.ENV_DUMP_EXFIL, node, 'os.environ as a whole beside a network call')
  const [duplicate] = seen.duplicates
  if (duplicate !== undefined && seen.socket && seen.process)
    add(rules.REVERSE_SHELL, duplicate, 'socket, os.dup2 and a process')
}

function text(syntax: Syntax, node: Node, seen: Seen): void {
  if (isDocstring(syntax, node)) return
  const value =
    stringValue(syntax, node) ??
    (syntax.name(node) === 'FormatString' ? syntax.textOf(node).replace(/^\w*["']+/, '') : null)
  if (value === null) return
  if (isOutboundUrl(value)) seen.sinks.push(node)
  if (isSensitivePath(value)) seen.sensitive.push(node)
}
