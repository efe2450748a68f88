// Determines what the variables of a file may hold: remote text, keys, paths to keys, or connections. Values
// propagate until nothing changes or the maximum number of rounds is reached.

import type { Steps } from '../../../../lib/steps.ts'
import { DUMPS, KEY_FILES, TOKENS } from '../../flow/secrets.ts'
import { isPersonalPath, isSensitivePath } from '../../base/hosts.ts'
import { graver, hostsOf } from '../../shell/shell-origin.ts'
import { fetchedAddress, isDecoder, isGiven, isNetwork, isSpelled, openedPaths } from './fetched.ts'
import type { CodeFile, FetchSource } from './fetched.ts'
import { givesOf, keyOf } from './flow-gives.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf } from './values.ts'

export interface FlowValue {
  /** Where the text was fetched from, or 'decoded'; null for other values. */
  readonly code: FetchSource | null
  /** 1 for a path to keys, 2 for keys, 0 for neither. */
  readonly keys: 0 | 1 | 2
  /** True for a connection, or for text received over one. */
  readonly isLive: boolean
}

export const NOTHING: FlowValue = { code: null, keys: 0, isLive: false }

export interface FlowValues {
  /** The value of an expression as a whole. A variable inside a longer text does not count. */
  whole(node: SyntaxNode): FlowValue
  /** The value of an expression and of everything inside it. */
  within(node: SyntaxNode): FlowValue
  /** The number of nodes visited so far. */
  spent(): number
}

const ROUNDS = 4
const NODES_MAX = 300
const DEPTH_MAX = 12
const CALLS = /^(?:CallExpression|NewExpression)$/
const TEXTS = /^(?:String|FormatString|TemplateString)$/
const TAKES_ALL =
  /(?:\b(?:dict|dumps|str|repr|list|stringify|entries|values|assign|from|String)\(\s*|\.\.\.\s*|\*\*\s*|:\s*|\breturn\s+|\bin\s+|(?:data|json|body|payload)\s?=\s?)$/
const READS =
  /(?:^|\.)(?:open|read|read_text|read_bytes|readFile(?:Sync)?|createReadStream|readTextFile|connect|execute|copy\w{0,4}|copyFile(?:Sync)?|load|loads|glob|iterdir|readlines|slurp|add|write|make_archive|text|json)$/
const PASSES =
  /(?:^|\.)(?:str|bytes|compile|loads|decode|parse|String|from|toString|join|fetch|text|getvalue|dedent|strip|format|resolve|then|TextDecoder|read)$/
const SOCKETS =
  /(?:^|\.)(?:create_connection|socket|connect|createConnection|Socket|WebSocket|accept|createSocket)(?:\(\))?$/
/** Options with which a client authenticates itself. Keys in them are sent to the server they belong to. */
const IDENTIFIES =
  /^["']?(?:auth|authorization|x-api-key|cert|verify|key|key_filename|env|proxies|httpsAgent|credentials|token)["']?$/i
const SETTINGS = /(?:^|[/\\])\.env(?:\.local|\.production)?$/
const TAKEN_APART = /split\(\s?["']=|partition\(\s?["']=|dotenv|indexOf\(["']=/
const MANAGERS =
  /^(?:keyring\.get_(?:password|credential)|.*keytar\.\w*[pP]assword\w*|browser_cookie3\.\w+|browsercookie\.\w+|win32crypt\.\w+|pyperclip\.paste)$/

/**
 * Limit on visited nodes, which no benign script in a skill reaches. Beyond it, only the other rules apply.
 */
const VISITS_MAX = 3_000_000
const AT_ONCE = 4_000

/** Analyses a file; null if it is too large. */
export function* valuesOf(file: CodeFile): Steps<FlowValues | null> {
  const { syntax, language, resolve } = file
  const gives = givesOf(file)
  const held = new Map<string, FlowValue>()
  const hasEnvironment = /environ|process/.test(file.syntax.text)
  const pathsBefore = new Map<SyntaxNode, readonly string[]>()
  const textBefore = new Map<SyntaxNode, readonly string[]>()
  let visits = 0
  let reported = 0
  const own = new Set(
    Array.from(syntax.text.matchAll(/\b(?:def|function)\s{1,4}([\w$]{1,60})/g), ([, name = '']) => name),
  )
  const known = new Set(gives.map(({ to }) => to))
  const takesApart = TAKEN_APART.test(syntax.text)
  // After the first round, only the assignments that use a changed variable are visited again.
  let changed: ReadonlySet<string> | null = null
  for (let round = 0; round < ROUNDS && changed?.size !== 0; round++) {
    const before: ReadonlySet<string> | null = changed
    const now = new Set<string>()
    for (const { to, from, isWhole, isPacked } of gives) {
      if (before !== null && !wordsOf(from).some((word) => before.has(word))) continue
      if (visits > VISITS_MAX) return null
      if (visits - reported > AT_ONCE) {
        yield visits - reported
        reported = visits
      }
      const inside = keysOnly(within(from))
      const keys = isPacked && inside.keys === 1 ? { ...inside, keys: 2 as const } : inside
      const value = joined(isWhole ? whole(from, 0) : NOTHING, keys)
      const known = held.get(to) ?? NOTHING
      const after = joined(known, value)
      if (after.code === known.code && after.keys === known.keys && after.isLive === known.isLive) continue
      held.set(to, after)
      now.add(/[\w$]*$/.exec(to)?.[0] ?? '')
    }
    changed = now
  }
  return { whole: (node) => whole(node, 0), within, spent: () => visits }

  /**
   * Whether the file assigns the variable anywhere. Short examples often use variables that they never
   * assign.
   */
  function isKnown(node: SyntaxNode | undefined): boolean {
    const key = node === undefined ? null : keyOf(file, node)
    return key !== null && known.has(key)
  }

  function wordsOf(node: SyntaxNode): readonly string[] {
    const known = textBefore.get(node)
    if (known) return known
    const found =
      syntax
        .textOf(node)
        .slice(0, 2_000)
        .match(/[A-Za-z_$][\w$]*/g) ?? []
    textBefore.set(node, found)
    return found
  }

  function named(node: SyntaxNode): FlowValue {
    const key = keyOf(file, node)
    return (key === null ? undefined : held.get(key)) ?? NOTHING
  }

  function whole(node: SyntaxNode, depth: number): FlowValue {
    visits++
    if (depth > DEPTH_MAX || node < 0) return NOTHING
    const kind = syntax.name(node)
    const kids = syntax.kids(node)
    const inner = (kid: SyntaxNode | undefined): FlowValue => whole(kid ?? -1, depth + 1)
    if (kind === 'VariableName') return named(node)
    if (kind === 'MemberExpression') {
      const spelled = isSpelled(file, node) && /:\s?:\s?-1/.test(syntax.textOf(node).slice(-12))
      const own = joined(named(node), inner(kids[0]))
      return spelled ? joined(own, { ...NOTHING, code: 'decoded' }) : own
    }
    if (
      /^(?:Parenthesized|Await|Conditional|Sequence|Array)Expression$|^AwaitExpression$/.test(kind) &&
      kids.length < 8
    )
      return kids.reduce((all, kid) => joined(all, inner(kid)), NOTHING)
    if (kind === 'BinaryExpression') {
      const operator = syntax.textOf(kids[1] ?? -1)
      if (/^(?:or|and|\|\||&&|\?\?)$/.test(operator)) return joined(inner(kids[0]), inner(kids[2]))
      return operator === '+' && /^["'`]data:/.test(syntax.textOf(kids[0] ?? -1)) ? inner(kids[2]) : NOTHING
    }
    if (kind === 'TemplateString' && syntax.textOf(node).startsWith('`data:'))
      return kids.reduce((all, kid) => joined(all, inner(syntax.kids(kid)[1])), NOTHING)
    if (kind.endsWith('ComprehensionExpression')) return inner(kids[1])
    return CALLS.test(kind) ? called(node, depth) : NOTHING
  }

  function called(node: SyntaxNode, depth: number): FlowValue {
    const { positional } = argumentsOf(syntax, node)
    const [first = -1, second = -1] = syntax.kids(node)
    const callee = syntax.name(node) === 'NewExpression' ? second : first
    const paths = pathsBefore.get(node) ?? openedPaths(file, node)
    pathsBefore.set(node, paths)
    visits += 4
    if (isDecoder(file, node) && (isGiven(file, node) || isKnown(positional[0])))
      return { ...NOTHING, code: 'decoded' }
    const text = syntax.textOf(node).slice(0, 1_000)
    let own = NOTHING
    if (paths.some((path) => language.does.process.test(path) || language.does.shell.test(path))) {
      const command = text.replace(/["'`,[\]]+/g, ' ')
      if (/\b(?:curl|wget)\s[^|]{0,300}https?:/.test(command)) own = { ...NOTHING, code: hostsOf(command) }
      const program = /\(\s*(\S[^)]{0,200})/.exec(command)?.[1]?.trim().replace(/\s+/g, ' ') ?? ''
      if (
        (TOKENS.test(program) && !/^(?:gcloud|az)\b/.test(program)) ||
        DUMPS.test(program) ||
        (/^(?:cat|tar|zip|cp|base64|sqlite3)\b/.test(program) && KEY_FILES.test(program))
      )
        return { ...own, keys: 2 }
    }
    if (isNetwork(file, node))
      own = { ...own, code: fetchedAddress(file, node), isLive: paths.some((path) => SOCKETS.test(path)) }
    if (
      /\bjoin\(?[^\n]{0,40}\bchr\s?\(|fromCharCode|\bbytes\(\s?\w{1,10}\s?\^|\.reverse\(\)|decodeURIComponent\(/.test(
        text,
      )
    )
      own = joined(own, { ...NOTHING, code: 'decoded' })
    if (paths.some((path) => MANAGERS.test(path))) own = { ...own, keys: 2 }
    const name = syntax.textOf(callee)
    const [receiver] = syntax.name(callee) === 'MemberExpression' ? syntax.kids(callee) : []
    own = joined(
      own,
      receiver === undefined ? named(callee) : joined(named(callee), whole(receiver, depth + 1)),
    )
    if (PASSES.test(name.slice(-40)) || paths.some((path) => PASSES.test(path)))
      for (const value of positional.slice(0, 2)) own = joined(own, whole(value, depth + 1))
    return own
  }

  function within(node: SyntaxNode): FlowValue {
    let found = whole(node, 0)
    let reads = false
    let skip = -1
    for (let at = node; at < node + NODES_MAX && syntax.within(at, node); at++) {
      visits++
      if (skip >= 0 && syntax.within(at, skip)) continue
      const kind = syntax.name(at)
      if (kind === 'Property') {
        const [key = -1, sign = -1, value = -1] = syntax.kids(at)
        // A shorthand property, as in `{ body }`.
        if (sign < 0 && syntax.name(key) === 'PropertyDefinition') {
          const word = language.word(syntax.textOf(key))
          found = joined(found, keysOnly(held.get(`${file.names.homeOf(word, key)}:${word}`) ?? NOTHING))
        }
        if (sign >= 0 && IDENTIFIES.test(syntax.textOf(key))) {
          skip = value
          continue
        }
      }
      if (CALLS.test(kind)) {
        const [first = -1, second = -1] = syntax.kids(at)
        reads ||= READS.test(syntax.textOf(kind === 'NewExpression' ? second : first).slice(-40))
        found = joined(found, keysOnly(called(at, 1)))
        // The result of a function of this file is what it returns, so its arguments are skipped.
        const callee = syntax.textOf(kind === 'NewExpression' ? second : first)
        const list = syntax.kids(at).find((kid) => syntax.name(kid) === 'ArgList')
        if (list !== undefined && own.has(callee.slice(callee.lastIndexOf('.') + 1))) skip = list
      } else if (TEXTS.test(kind)) {
        const text = syntax
          .textOf(at)
          .slice(0, 1_000)
          .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, '')
        if (SETTINGS.test(text) ? !takesApart : isKeyPath(text))
          found = joined(found, { ...NOTHING, keys: 1 })
      } else if (kind === 'VariableName' || kind === 'MemberExpression') {
        if (!isPicked(at)) found = joined(found, keysOnly(named(at)))
        if (isEnvironment(at)) found = joined(found, { ...NOTHING, keys: 2 })
      }
    }
    return reads && found.keys === 1 ? { ...found, keys: 2 } : found
  }

  /** True if only one value is read by name: `env.get("HOST")`, `config["host"]`. */
  function isPicked(node: SyntaxNode): boolean {
    const parent = syntax.parent(node)
    if (syntax.name(parent) !== 'MemberExpression' || syntax.kids(parent)[0] !== node) return false
    return /^\.get\b|^\[\s?["']/.test(syntax.text.slice(syntax.to(node), syntax.to(node) + 8))
  }

  function isEnvironment(node: SyntaxNode): boolean {
    const parent = syntax.parent(node)
    if (/^(?:BinaryExpression|PatternProperty)$/.test(syntax.name(parent))) return false
    const isRead = syntax.name(parent) === 'MemberExpression'
    const around = syntax.textOf(syntax.name(parent) === 'MemberExpression' ? parent : node)
    if (isRead && !/\.(?:items|values|entries)$/.test(around)) return false
    if (!hasEnvironment || !resolve(node).some((path) => language.does.environment.test(path))) return false
    // An environment that is passed on unchanged is only used for look-ups. It leaks as a whole if it is
    // turned into text, stored in a table or returned.
    if (!isRead && !TAKES_ALL.test(syntax.text.slice(Math.max(0, syntax.from(node) - 24), syntax.from(node))))
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

function keysOnly(held: FlowValue): FlowValue {
  return held.keys === 0 ? NOTHING : { ...NOTHING, keys: held.keys }
}

function joined(a: FlowValue, b: FlowValue): FlowValue {
  if (b === NOTHING) return a
  if (a === NOTHING) return b
  return {
    code: graverSource(a.code, b.code),
    keys: a.keys > b.keys ? a.keys : b.keys,
    isLive: a.isLive || b.isLive,
  }
}

function graverSource(a: FetchSource | null, b: FetchSource | null): FetchSource | null {
  if (a === null || a === 'unknown') return b ?? a
  return b === null || b === 'unknown' ? a : graver(a, b)
}
