// Determines what the variables of a file may hold: remote text, keys, paths to keys, or connections. Values
// propagate until nothing changes or the maximum number of rounds is reached.

import type { Steps } from '../../../../lib/steps.ts'
import { DUMP_COMMANDS, KEY_FILES, TOKEN_COMMANDS } from '../../flow/secrets.ts'
import { isPersonalPath, isSensitivePath } from '../../base/hosts.ts'
import { originOfHosts } from '../../shell/shell-origin.ts'
import { fetchSourceOf, isDecoder, hasInput, isNetwork, isObfuscated, calleePaths } from './fetch-source.ts'
import type { CodeFile } from './fetch-source.ts'
import { NOTHING, mergeValues, withKeysOnly } from './flow-value.ts'
import type { FlowValue } from './flow-value.ts'
import { findAssignments, keyOf } from './assignments.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf } from './values.ts'

export interface FlowValues {
  /** The value of an expression as a whole. A variable inside a longer text does not count. */
  valueOfNode(node: SyntaxNode): FlowValue
  /** The value of an expression and of everything inside it. */
  valueInside(node: SyntaxNode): FlowValue
  /** The number of nodes visited so far. */
  spent(): number
}

const ROUNDS_MAX = 4
const NODES_MAX = 300
const DEPTH_MAX = 12
const CALL_KINDS = /^(?:CallExpression|NewExpression)$/
const STRING_KINDS = /^(?:String|FormatString|TemplateString)$/
const USES_WHOLE_ENVIRONMENT =
  /(?:\b(?:dict|dumps|str|repr|list|stringify|entries|values|assign|from|String)\(\s*|\.\.\.\s*|\*\*\s*|:\s*|\breturn\s+|\bin\s+|(?:data|json|body|payload)\s?=\s?)$/
const READ_CALLS =
  /(?:^|\.)(?:open|read|read_text|read_bytes|readFile(?:Sync)?|createReadStream|readTextFile|connect|execute|copy\w{0,4}|copyFile(?:Sync)?|load|loads|glob|iterdir|readlines|slurp|add|write|make_archive|text|json)$/
const PASS_THROUGH =
  /(?:^|\.)(?:str|bytes|compile|loads|decode|parse|String|from|toString|join|fetch|text|getvalue|dedent|strip|format|resolve|then|TextDecoder|read)$/
const SOCKET_CALLS =
  /(?:^|\.)(?:create_connection|socket|connect|createConnection|Socket|WebSocket|accept|createSocket)(?:\(\))?$/
/** Options with which a client authenticates itself. Keys in them are sent to the server they belong to. */
const AUTH_OPTIONS =
  /^["']?(?:auth|authorization|x-api-key|cert|verify|key|key_filename|env|proxies|httpsAgent|credentials|token)["']?$/i
const SETTINGS_FILE = /(?:^|[/\\])\.env(?:\.local|\.production)?$/
const PARSES_SETTINGS = /split\(\s?["']=|partition\(\s?["']=|dotenv|indexOf\(["']=/
const CREDENTIAL_STORES =
  /^(?:keyring\.get_(?:password|credential)|.*keytar\.\w*[pP]assword\w*|browser_cookie3\.\w+|browsercookie\.\w+|win32crypt\.\w+|pyperclip\.paste)$/

/**
 * Limit on visited nodes, which no benign script in a skill reaches. Beyond it, only the other rules apply.
 */
const VISITS_MAX = 3_000_000
const VISITS_PER_YIELD = 4_000

/** Determines the values in a file; null if that would take too many visits. */
export function* analyseValues(file: CodeFile): Steps<FlowValues | null> {
  const { syntax, language, resolve } = file
  const assignments = findAssignments(file)
  const valuesByKey = new Map<string, FlowValue>()
  const hasEnvironment = /environ|process/.test(file.syntax.text)
  const pathsByNode = new Map<SyntaxNode, readonly string[]>()
  const identifiersByNode = new Map<SyntaxNode, readonly string[]>()
  let visits = 0
  let reported = 0
  const functionNames = new Set(
    Array.from(syntax.text.matchAll(/\b(?:def|function)\s{1,4}([\w$]{1,60})/g), ([, name = '']) => name),
  )
  const assignedKeys = new Set(assignments.map(({ to }) => to))
  const parsesSettings = PARSES_SETTINGS.test(syntax.text)
  // After the first round, only the assignments that use a changed variable are visited again.
  let changed: ReadonlySet<string> | null = null
  for (let round = 0; round < ROUNDS_MAX && changed?.size !== 0; round++) {
    const changedBefore: ReadonlySet<string> | null = changed
    const changedNow = new Set<string>()
    for (const { to, from, isReplaced, isArchived } of assignments) {
      if (changedBefore !== null && !identifiersIn(from).some((name) => changedBefore.has(name))) continue
      if (visits > VISITS_MAX) return null
      if (visits - reported > VISITS_PER_YIELD) {
        yield visits - reported
        reported = visits
      }
      const inside = withKeysOnly(valueInside(from))
      const keys = isArchived && inside.keys === 1 ? { ...inside, keys: 2 as const } : inside
      const value = mergeValues(isReplaced ? valueOfNode(from, 0) : NOTHING, keys)
      const previous = valuesByKey.get(to) ?? NOTHING
      const after = mergeValues(previous, value)
      if (
        after.code === previous.code &&
        after.keys === previous.keys &&
        after.isFromConnection === previous.isFromConnection
      )
        continue
      valuesByKey.set(to, after)
      changedNow.add(/[\w$]*$/.exec(to)?.[0] ?? '')
    }
    changed = changedNow
  }
  return { valueOfNode: (node) => valueOfNode(node, 0), valueInside, spent: () => visits }

  /**
   * Whether the file assigns the variable anywhere. Short examples often use variables that they never
   * assign.
   */
  function isAssigned(node: SyntaxNode | undefined): boolean {
    const key = node === undefined ? null : keyOf(file, node)
    return key !== null && assignedKeys.has(key)
  }

  function identifiersIn(node: SyntaxNode): readonly string[] {
    const cached = identifiersByNode.get(node)
    if (cached) return cached
    const identifiers =
      syntax
        .textOf(node)
        .slice(0, 2_000)
        .match(/[A-Za-z_$][\w$]*/g) ?? []
    identifiersByNode.set(node, identifiers)
    return identifiers
  }

  function valueOfKey(node: SyntaxNode): FlowValue {
    const key = keyOf(file, node)
    return (key === null ? undefined : valuesByKey.get(key)) ?? NOTHING
  }

  function valueOfNode(node: SyntaxNode, depth: number): FlowValue {
    visits++
    if (depth > DEPTH_MAX || node < 0) return NOTHING
    const kind = syntax.name(node)
    const children = syntax.children(node)
    const inner = (child: SyntaxNode | undefined): FlowValue => valueOfNode(child ?? -1, depth + 1)
    if (kind === 'VariableName') return valueOfKey(node)
    if (kind === 'MemberExpression') {
      const isReversed = isObfuscated(file, node) && /:\s?:\s?-1/.test(syntax.textOf(node).slice(-12))
      const value = mergeValues(valueOfKey(node), inner(children[0]))
      return isReversed ? mergeValues(value, { ...NOTHING, code: 'decoded' }) : value
    }
    if (
      /^(?:Parenthesized|Await|Conditional|Sequence|Array)Expression$|^AwaitExpression$/.test(kind) &&
      children.length < 8
    )
      return children.reduce((all, child) => mergeValues(all, inner(child)), NOTHING)
    if (kind === 'BinaryExpression') {
      const operator = syntax.textOf(children[1] ?? -1)
      if (/^(?:or|and|\|\||&&|\?\?)$/.test(operator))
        return mergeValues(inner(children[0]), inner(children[2]))
      return operator === '+' && /^["'`]data:/.test(syntax.textOf(children[0] ?? -1))
        ? inner(children[2])
        : NOTHING
    }
    if (kind === 'TemplateString' && syntax.textOf(node).startsWith('`data:'))
      return children.reduce((all, child) => mergeValues(all, inner(syntax.children(child)[1])), NOTHING)
    if (kind.endsWith('ComprehensionExpression')) return inner(children[1])
    return CALL_KINDS.test(kind) ? valueOfCall(node, depth) : NOTHING
  }

  function valueOfCall(node: SyntaxNode, depth: number): FlowValue {
    const { positional } = argumentsOf(syntax, node)
    const [first = -1, second = -1] = syntax.children(node)
    const callee = syntax.name(node) === 'NewExpression' ? second : first
    const paths = pathsByNode.get(node) ?? calleePaths(file, node)
    pathsByNode.set(node, paths)
    visits += 4
    if (isDecoder(file, node) && (hasInput(file, node) || isAssigned(positional[0])))
      return { ...NOTHING, code: 'decoded' }
    const text = syntax.textOf(node).slice(0, 1_000)
    let value = NOTHING
    if (paths.some((path) => language.effects.process.test(path) || language.effects.shell.test(path))) {
      const command = text.replace(/["'`,[\]]+/g, ' ')
      if (/\b(?:curl|wget)\s[^|]{0,300}https?:/.test(command))
        value = { ...NOTHING, code: originOfHosts(command) }
      const program = /\(\s*(\S[^)]{0,200})/.exec(command)?.[1]?.trim().replace(/\s+/g, ' ') ?? ''
      if (
        (TOKEN_COMMANDS.test(program) && !/^(?:gcloud|az)\b/.test(program)) ||
        DUMP_COMMANDS.test(program) ||
        (/^(?:cat|tar|zip|cp|base64|sqlite3)\b/.test(program) && KEY_FILES.test(program))
      )
        return { ...value, keys: 2 }
    }
    if (isNetwork(file, node))
      value = {
        ...value,
        code: fetchSourceOf(file, node),
        isFromConnection: paths.some((path) => SOCKET_CALLS.test(path)),
      }
    if (
      /\bjoin\(?[^\n]{0,40}\bchr\s?\(|fromCharCode|\bbytes\(\s?\w{1,10}\s?\^|\.reverse\(\)|decodeURIComponent\(/.test(
        text,
      )
    )
      value = mergeValues(value, { ...NOTHING, code: 'decoded' })
    if (paths.some((path) => CREDENTIAL_STORES.test(path))) value = { ...value, keys: 2 }
    const name = syntax.textOf(callee)
    const [receiver] = syntax.name(callee) === 'MemberExpression' ? syntax.children(callee) : []
    value = mergeValues(
      value,
      receiver === undefined
        ? valueOfKey(callee)
        : mergeValues(valueOfKey(callee), valueOfNode(receiver, depth + 1)),
    )
    if (PASS_THROUGH.test(name.slice(-40)) || paths.some((path) => PASS_THROUGH.test(path)))
      for (const argument of positional.slice(0, 2))
        value = mergeValues(value, valueOfNode(argument, depth + 1))
    return value
  }

  function valueInside(node: SyntaxNode): FlowValue {
    let found = valueOfNode(node, 0)
    let reads = false
    let skip = -1
    for (let part = node; part < node + NODES_MAX && syntax.isInside(part, node); part++) {
      visits++
      if (skip >= 0 && syntax.isInside(part, skip)) continue
      const kind = syntax.name(part)
      if (kind === 'Property') {
        const [key = -1, sign = -1, value = -1] = syntax.children(part)
        // A shorthand property, as in `{ body }`.
        if (sign < 0 && syntax.name(key) === 'PropertyDefinition') {
          const identifier = language.normalizeName(syntax.textOf(key))
          found = mergeValues(
            found,
            withKeysOnly(
              valuesByKey.get(`${file.names.definingScope(identifier, key)}:${identifier}`) ?? NOTHING,
            ),
          )
        }
        if (sign >= 0 && AUTH_OPTIONS.test(syntax.textOf(key))) {
          skip = value
          continue
        }
      }
      if (CALL_KINDS.test(kind)) {
        const [first = -1, second = -1] = syntax.children(part)
        reads ||= READ_CALLS.test(syntax.textOf(kind === 'NewExpression' ? second : first).slice(-40))
        found = mergeValues(found, withKeysOnly(valueOfCall(part, 1)))
        // The result of a function of this file is what it returns, so its arguments are skipped.
        const callee = syntax.textOf(kind === 'NewExpression' ? second : first)
        const list = syntax.children(part).find((child) => syntax.name(child) === 'ArgList')
        if (list !== undefined && functionNames.has(callee.slice(callee.lastIndexOf('.') + 1))) skip = list
      } else if (STRING_KINDS.test(kind)) {
        const text = syntax
          .textOf(part)
          .slice(0, 1_000)
          .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, '')
        if (SETTINGS_FILE.test(text) ? !parsesSettings : isKeyPath(text))
          found = mergeValues(found, { ...NOTHING, keys: 1 })
      } else if (kind === 'VariableName' || kind === 'MemberExpression') {
        if (!readsOneValue(part)) found = mergeValues(found, withKeysOnly(valueOfKey(part)))
        if (isEnvironment(part)) found = mergeValues(found, { ...NOTHING, keys: 2 })
      }
    }
    return reads && found.keys === 1 ? { ...found, keys: 2 } : found
  }

  /** True if only one value is read by name: `env.get("HOST")`, `config["host"]`. */
  function readsOneValue(node: SyntaxNode): boolean {
    const parent = syntax.parent(node)
    if (syntax.name(parent) !== 'MemberExpression' || syntax.children(parent)[0] !== node) return false
    return /^\.get\b|^\[\s?["']/.test(syntax.text.slice(syntax.to(node), syntax.to(node) + 8))
  }

  function isEnvironment(node: SyntaxNode): boolean {
    const parent = syntax.parent(node)
    if (/^(?:BinaryExpression|PatternProperty)$/.test(syntax.name(parent))) return false
    const isRead = syntax.name(parent) === 'MemberExpression'
    const around = syntax.textOf(syntax.name(parent) === 'MemberExpression' ? parent : node)
    if (isRead && !/\.(?:items|values|entries)$/.test(around)) return false
    if (!hasEnvironment || !resolve(node).some((path) => language.effects.environment.test(path)))
      return false
    // An environment that is passed on unchanged is only used for look-ups. It leaks as a whole if it is
    // turned into text, stored in a table or returned.
    if (
      !isRead &&
      !USES_WHOLE_ENVIRONMENT.test(syntax.text.slice(Math.max(0, syntax.from(node) - 24), syntax.from(node)))
    )
      return false
    // A script that filters variables by prefix reads its own settings.
    return !/startswith|startsWith/.test(syntax.text.slice(syntax.from(node), syntax.from(node) + 160))
  }
}

function isKeyPath(text: string): boolean {
  return (
    text.length > 3 &&
    !/\s{2}|\n/.test(text) &&
    (isSensitivePath(text) ||
      isPersonalPath(text) ||
      (KEY_FILES.test(text) && text.length < 120 && !/\s\w+\s\w+\s/.test(text)))
  )
}
