// Applies the rules to one Python or JavaScript file. They look at calls, not at mentions in comments and
// strings.

import type { Steps } from '../../../../lib/steps.ts'
import { quoted } from '../../../format/finding.ts'
import {
  isDropAddress,
  isOutboundUrl,
  isPersonalPath,
  isSensitivePath,
  isSettingsPath,
} from '../../base/hosts.ts'
import type { ScanReport } from '../../report.ts'
import type { RuleId } from '../../rules/rules.ts'
import type { Source } from '../../base/source.ts'
import { argumentsIn, carriesEnvironment } from './environment.ts'
import type { CodeFile, FetchSource as Fetched } from './fetched.ts'
import { judgeFlow } from './flow-judge.ts'
import type { CodeLanguage } from './language.ts'
import { createNames } from './names.ts'
import { findNormal } from './normal.ts'
import { createResolver } from './resolve.ts'
import { ranByCall, ranByHand, ruleOf, startedBy, writtenBy } from './runs-fetched.ts'
import { isHoard, sentKeys } from './sent.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'
import type { Arguments } from './values.ts'

/** `fits` is false for code that is too large to parse; its text is only searched for relevant names. */
export function* judgeCode(
  language: CodeLanguage,
  source: Source,
  fits: boolean,
  report: ScanReport,
): Steps<void> {
  const { prefix } = language
  const text = source.text ?? ''
  const add = (rule: RuleId, offset: number | null, seen: string): void =>
    report.add(rule, source.path, offset === null ? null : source.lineAt(offset), seen)
  const { syntax, trouble } = fits
    ? yield* language.parse(source.path, text)
    : { syntax: null, trouble: { offset: null, reason: 'The code is too large to parse', hides: false } }
  if (trouble) {
    const found = syntax || trouble.hides ? null : yield* findNormal(text, language.matters)
    const hides = trouble.hides || found !== null
    const names = found === null ? '' : `, and contains ${quoted(found)}`
    add(`${prefix}-${hides ? 'unparsable' : 'parsed-in-part'}`, trouble.offset, `${trouble.reason}${names}`)
  }
  if (!syntax) return
  try {
    const names = createNames(syntax, language.scopes)
    yield* eachNode(syntax, (node) => {
      names.enter(node)
      language.collect(syntax, node, names.bind)
    })
    const file = { syntax, names, language, resolve: createResolver(syntax, names, language) }
    const tell: Add = (rule, node, seen) => add(rule, syntax.from(node), seen)
    yield* judge(file, tell)
    yield* judgeFlow(file, tell)
  } catch (thrown) {
    // The work limit or the call stack was exceeded, so part of the file was not checked.
    if (!(thrown instanceof RangeError)) throw thrown
    add(`${prefix}-unparsable`, null, 'The code is too complex to check completely')
  }
}

// Measured costs in microseconds: per visited node, and per listed child.
const NODE = 1
const CHILD = 0.02
const NODES_AT_ONCE = 2_048

function* eachNode(syntax: Syntax, visit: (node: SyntaxNode) => void): Steps<void> {
  let [reported, spent] = [0, syntax.spent()]
  for (let node = 0; node < syntax.size; node++) {
    visit(node)
    const units = (node - reported) * NODE + (syntax.spent() - spent) * CHILD
    if (units < NODES_AT_ONCE) continue
    yield units
    ;[reported, spent] = [node, syntax.spent()]
  }
}

type Add = (rule: RuleId, node: SyntaxNode, seen: string) => void

/** What the rules about the whole file need to know. */
interface Seen {
  sends: boolean
  drops: boolean
  readonly sensitive: SyntaxNode[]
  readonly personal: SyntaxNode[]
  readonly settings: SyntaxNode[]
  readonly environments: SyntaxNode[]
  readonly paths: Set<string>
  readonly programs: string[]
  readonly written: Set<string>
  readonly started: { readonly node: SyntaxNode; readonly file: string }[]
  process: SyntaxNode | null
}

const CALLS = new Set(['CallExpression', 'NewExpression', 'TaggedTemplateExpression', 'DynamicImport'])
const TEXTS = new Set(['String', 'FormatString', 'TemplateString'])

function* judge(file: CodeFile, add: Add): Steps<void> {
  const { syntax, language } = file
  const seen: Seen = {
    sends: false,
    drops: false,
    sensitive: [],
    personal: [],
    settings: [],
    environments: [],
    paths: new Set(),
    programs: [],
    written: new Set(),
    started: [],
    process: null,
  }
  yield* eachNode(syntax, (node) => {
    const name = syntax.name(node)
    if (CALLS.has(name)) judgeCall(file, node, seen, add)
    else if (TEXTS.has(name)) judgeText(syntax, node, seen)
  })
  const { prefix } = language
  for (const node of seen.sensitive)
    if (seen.sends)
      add(`${prefix}-sensitive-exfil`, node, 'A path to keys or accounts in a script that uses the network')
    else add(`${prefix}-sensitive-path-read`, node, 'A path to keys or accounts')
  const lost = [...(seen.sends ? seen.personal : []), ...(seen.drops ? seen.settings : [])]
  const hoards = seen.sends && isHoard(seen.personal.map((node) => plainText(syntax, node)))
  for (const node of lost)
    if (hoards)
      add(`${prefix}-keys-sent`, node, 'Saved passwords or wallets in a script that uses the network')
    else add(`${prefix}-sensitive-exfil`, node, 'Personal files in a script that uses the network')
  if (seen.sends)
    for (const node of seen.environments)
      add(`${prefix}-env-dump-exfil`, node, 'The whole environment is read in a script that uses the network')
  if (seen.process !== null && seen.sends && STARTS_DOWNLOAD.every((part) => part.test(syntax.text)))
    add(`${prefix}-download-run`, seen.process, 'A download is made executable and started')
  const ran = seen.sends ? seen.started.find((start) => seen.written.has(start.file)) : undefined
  if (ran)
    add(`${prefix}-download-run`, ran.node, 'A file is written and started in a script that uses the network')
  if (
    seen.process !== null &&
    UNLOCKS.test(syntax.text) &&
    (seen.sends || startsUnlocked(syntax.text, seen.programs))
  )
    add(
      'declaration-locked-prerequisite',
      seen.process,
      'A program is started in a script that extracts an archive with a password',
    )
  if (STARTS_ITSELF.every((part) => part.test(syntax.text)))
    add('shell-persistence', 0, 'A file that Python runs on every start is written')
  if (seen.process !== null && language.ties({ ...seen, text: syntax.text }))
    add(`${prefix}-reverse-shell`, seen.process, 'A raw socket is connected to a process')
}

const STARTS_DOWNLOAD = [
  /chmod(?:Sync)?\s{0,4}\(/,
  /urlretrieve|write_bytes|writeFile|createWriteStream|\.write\(|copyfileobj/,
]

/** Calls that open an archive with a password, for libraries of Python and JavaScript. */
const UNLOCKS =
  /\bextract(?:all)?\s?\([^)\n]{0,120}\bpwd\s?=|\.setpassword\s?\(|\bSevenZipFile\s?\([^)\n]{0,120}\bpassword\s?=|\bAESZipFile\s?\(|["'](?:7z[arz]?|7zz|unzip|unrar|bsdtar)["'][^\n]{0,160}?f?["'](?:-p\S|-P\b|--passphrase|--password)|\.pwd\s?=|\bextractall(?:To)?\w{0,8}\s?\([^)\n]{0,80}\bpassword\b/i

/** Whether one of the programs is in the folder to which the archive is extracted. */
function startsUnlocked(text: string, programs: readonly string[]): boolean {
  const folder = /extract(?:all)?\w{0,8}\s?\([^)\n]{0,60}?["']([^"'\n]{2,120})["']/i.exec(text)?.[1]
  return folder !== undefined && programs.some((program) => program.includes(folder))
}

const STARTS_ITSELF = [
  /getsitepackages|getusersitepackages|USER_SITE|site-packages/,
  /\.pth["']|(?:site|user)customize\.py/,
  /write_text|write_bytes|\.write\(/,
]

/**
 * Records what a string literal refers to. A literal that is a statement of its own is documentation, so it
 * is skipped.
 */
function judgeText(syntax: Syntax, node: SyntaxNode, seen: Seen): void {
  if (syntax.name(syntax.parent(node)) === 'ExpressionStatement') return
  const text = plainText(syntax, node)
  if (isOutboundUrl(text)) seen.sends = true
  if (isDropAddress(text)) seen.drops = true
  if (isSensitivePath(text)) seen.sensitive.push(node)
  else if (isPersonalPath(text)) seen.personal.push(node)
  else if (isSettingsPath(text)) seen.settings.push(node)
}

const TEXT_CHARS = 1_000

function plainText(syntax: Syntax, node: SyntaxNode): string {
  return syntax
    .textOf(node)
    .slice(0, TEXT_CHARS)
    .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, '')
}

function judgeCall(file: CodeFile, node: SyntaxNode, seen: Seen, add: Add): void {
  const { syntax, language, resolve } = file
  const { does, prefix } = language
  const given = argumentsOf(syntax, node)
  const command = given.positional[0] ?? given.named.get('args') ?? given.named.get('cmd')
  const program = command === undefined ? null : stringOf(syntax, command)
  // A command that consists only of literals can be read; a computed command cannot.
  const isWritten = program !== null && given.positional.every((value) => isLiteral(file, value))
  const shells = !isWritten && language.asksForShell(syntax, given, (value) => isOff(file, value))
  const [first, second] = syntax.kids(node)
  const callee = (syntax.name(node) === 'NewExpression' ? second : first) ?? -1
  for (const path of syntax.name(node) === 'DynamicImport' ? ['import'] : resolve(callee)) {
    const call = { node, path, given, shells }
    tellFetched(file, node, ranByCall(file, call), add)
    if (does.code.test(path)) {
      // `Function('return this')` is how libraries get the global object.
      if (!/^\s*return this;?\s*$/.test(program ?? '')) add(`${prefix}-dynamic-code`, node, quoted(path))
    } else if (does.shell.test(path))
      add(`${prefix}-${program !== null ? 'subprocess' : 'shell-exec'}`, node, quoted(path))
    else if (does.process.test(path))
      add(`${prefix}-${shells ? 'shell-exec' : 'subprocess'}`, node, quoted(path))
    else language.judge(path, syntax, node, resolve, (rule, what) => add(rule, node, what))
    const written = writtenBy(file, node, path, given)
    if (written !== null && seen.written.size < FILES_MAX) seen.written.add(written)
    for (const started of startedBy(file, call))
      if (seen.started.length < FILES_MAX) seen.started.push({ node, file: started })
    if (does.shell.test(path) || does.process.test(path)) {
      seen.process ??= node
      seen.programs.push(program ?? '')
    }
    if (does.network.test(path)) {
      seen.sends = true
      const keys = sentKeys(file, path, given)
      if (keys !== null) add(`${prefix}-keys-sent`, keys, 'A key file is sent over the network')
      if (argumentsIn(given).some((value) => carriesEnvironment(file, value, true)))
        add(`${prefix}-keys-sent`, node, 'The whole environment is sent over the network')
    }
    if (does.socket.test(path) || path === 'os.dup2') seen.paths.add(path)
    if (does.listed.test(path)) seen.environments.push(node)
    if (does.network.test(path) || does.dumps.test(path))
      if (argumentsIn(given).some((value) => carriesEnvironment(file, value, true)))
        seen.environments.push(node)
  }
  handedOn(file, given, add)
}

const FILES_MAX = 256

function tellFetched({ language }: CodeFile, node: SyntaxNode, source: Fetched | null, add: Add): void {
  if (source !== null)
    add(
      `${language.prefix}-${ruleOf(source)}`,
      node,
      source === 'decoded' ? 'Decoded text is run' : 'Fetched text is run',
    )
}

/** Checks functions that are passed as arguments, since the receiver calls them. */
function handedOn(file: CodeFile, given: Arguments, add: Add): void {
  const { syntax, language, resolve } = file
  for (const value of argumentsIn(given)) {
    const name = syntax.name(value)
    if (name !== 'VariableName' && name !== 'MemberExpression') continue
    for (const path of resolve(value)) {
      // `Function` as an argument is used as a type or in a type check.
      if (/\.(?:eval|exec)$/.test(path) && language.does.code.test(path)) {
        add(`${language.prefix}-dynamic-code`, value, quoted(path))
        tellFetched(file, value, ranByHand(file, value), add)
      } else if (path.startsWith('os.') && language.does.shell.test(path))
        add(`${language.prefix}-shell-exec`, value, quoted(path))
    }
  }
}

/** True for a string, a list of strings, or an object of options. */
function isLiteral({ syntax }: CodeFile, node: SyntaxNode): boolean {
  const name = syntax.name(node)
  if (name === 'ObjectExpression' || stringOf(syntax, node) !== null) return true
  const isString = (kid: SyntaxNode): boolean =>
    /^[[\],]$/.test(syntax.name(kid)) || stringOf(syntax, kid) !== null
  return name === 'ArrayExpression' && syntax.kids(node).every(isString)
}

/** True for the literal false, and for a variable or parameter whose every known value is false. */
function isOff({ syntax, names, language }: CodeFile, value: SyntaxNode): boolean {
  const isFalse = (node: SyntaxNode | undefined): boolean => /^false$/i.test(syntax.textOf(node ?? -1))
  if (isFalse(value) || syntax.name(value) !== 'VariableName') return isFalse(value)
  const given = names.givenTo(language.word(syntax.textOf(value)), value) ?? []
  return given.length > 0 && given.every((one) => isFalse(one.value))
}
