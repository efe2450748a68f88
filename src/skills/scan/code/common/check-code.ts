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
import { argumentsExceptEnv, carriesEnvironment } from './environment.ts'
import type { CodeFile, FetchSource as Fetched } from './fetch-source.ts'
import { checkCodeFlow } from './flow-rules.ts'
import type { CodeLanguage } from './language.ts'
import { isAlwaysFalse, isLiteral } from './literals.ts'
import { createNames } from './names.ts'
import { findNormalized } from './normalized.ts'
import { createResolver } from './resolve.ts'
import {
  fetchSourceRunByCall,
  fetchSourceRunByCallback,
  ruleForSource,
  filesStartedBy,
  fileWrittenBy,
} from './runs-fetched.ts'
import { isCredentialCollection, findSentKeys } from './sent-keys.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'
import type { Arguments } from './values.ts'

/** `canParse` is false for code that is too large to parse; its text is only searched for relevant names. */
export function* checkCode(
  language: CodeLanguage,
  source: Source,
  canParse: boolean,
  report: ScanReport,
): Steps<void> {
  const { prefix } = language
  const text = source.text ?? ''
  const add = (rule: RuleId, offset: number | null, summary: string): void =>
    report.add(rule, source.path, offset === null ? null : source.lineAt(offset), summary)
  const { syntax, problem } = canParse
    ? yield* language.parse(source.path, text)
    : { syntax: null, problem: { offset: null, reason: 'The code is too large to parse', hidesNames: false } }
  if (problem) {
    const name = syntax || problem.hidesNames ? null : yield* findNormalized(text, language.suspiciousNames)
    const hidesNames = problem.hidesNames || name !== null
    const suffix = name === null ? '' : `, and contains ${quoted(name)}`
    add(
      `${prefix}-${hidesNames ? 'unparsable' : 'parsed-in-part'}`,
      problem.offset,
      `${problem.reason}${suffix}`,
    )
  }
  if (!syntax) return
  try {
    const names = createNames(syntax, language.scopes)
    yield* eachNode(syntax, (node) => {
      names.enter(node)
      language.recordNames(syntax, node, names.bind)
    })
    const file = { syntax, names, language, resolve: createResolver(syntax, names, language) }
    const addAt: Add = (rule, node, summary) => add(rule, syntax.from(node), summary)
    yield* checkNodes(file, addAt)
    yield* checkCodeFlow(file, addAt)
  } catch (thrown) {
    // The work limit or the call stack was exceeded, so part of the file was not checked.
    if (!(thrown instanceof RangeError)) throw thrown
    add(`${prefix}-unparsable`, null, 'The code is too complex to check completely')
  }
}

// Measured costs in microseconds: per visited node, and per listed child.
const NODE_US = 1
const CHILD_US = 0.02
const NODES_PER_YIELD = 2_048

function* eachNode(syntax: Syntax, visit: (node: SyntaxNode) => void): Steps<void> {
  let [reported, spent] = [0, syntax.spent()]
  for (let node = 0; node < syntax.size; node++) {
    visit(node)
    const units = (node - reported) * NODE_US + (syntax.spent() - spent) * CHILD_US
    if (units < NODES_PER_YIELD) continue
    yield units
    ;[reported, spent] = [node, syntax.spent()]
  }
}

type Add = (rule: RuleId, node: SyntaxNode, summary: string) => void

/** Facts about a file that the rules about whole files use. */
interface FileFacts {
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

const CALL_KINDS = new Set(['CallExpression', 'NewExpression', 'TaggedTemplateExpression', 'DynamicImport'])
const STRING_KINDS = new Set(['String', 'FormatString', 'TemplateString'])

function* checkNodes(file: CodeFile, add: Add): Steps<void> {
  const { syntax, language } = file
  const facts: FileFacts = {
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
    if (CALL_KINDS.has(name)) checkCallNode(file, node, facts, add)
    else if (STRING_KINDS.has(name)) recordText(syntax, node, facts)
  })
  const { prefix } = language
  for (const node of facts.sensitive)
    if (facts.sends)
      add(`${prefix}-sensitive-exfil`, node, 'A path to keys or accounts in a script that uses the network')
    else add(`${prefix}-sensitive-path-read`, node, 'A path to keys or accounts')
  const leaked = [...(facts.sends ? facts.personal : []), ...(facts.drops ? facts.settings : [])]
  const isCollection =
    facts.sends && isCredentialCollection(facts.personal.map((node) => unquotedText(syntax, node)))
  for (const node of leaked)
    if (isCollection)
      add(`${prefix}-keys-sent`, node, 'Saved passwords or wallets in a script that uses the network')
    else add(`${prefix}-sensitive-exfil`, node, 'Personal files in a script that uses the network')
  if (facts.sends)
    for (const node of facts.environments)
      add(`${prefix}-env-dump-exfil`, node, 'The whole environment is read in a script that uses the network')
  if (facts.process !== null && facts.sends && MAKES_EXECUTABLE.every((part) => part.test(syntax.text)))
    add(`${prefix}-download-run`, facts.process, 'A download is made executable and started')
  const startedFile = facts.sends ? facts.started.find((start) => facts.written.has(start.file)) : undefined
  if (startedFile)
    add(
      `${prefix}-download-run`,
      startedFile.node,
      'A file is written and started in a script that uses the network',
    )
  if (
    facts.process !== null &&
    OPENS_LOCKED_ARCHIVE.test(syntax.text) &&
    (facts.sends || startsUnlocked(syntax.text, facts.programs))
  )
    add(
      'declaration-locked-prerequisite',
      facts.process,
      'A program is started in a script that extracts an archive with a password',
    )
  if (PYTHON_AUTOSTART.every((part) => part.test(syntax.text)))
    add('shell-persistence', 0, 'The script writes a file that Python runs at every startup')
  if (facts.process !== null && language.connectsSocketToProcess({ ...facts, text: syntax.text }))
    add(`${prefix}-reverse-shell`, facts.process, 'A raw socket is connected to a process')
}

const MAKES_EXECUTABLE = [
  /chmod(?:Sync)?\s{0,4}\(/,
  /urlretrieve|write_bytes|writeFile|createWriteStream|\.write\(|copyfileobj/,
]

/** Calls that open an archive with a password, for libraries of Python and JavaScript. */
const OPENS_LOCKED_ARCHIVE =
  /\bextract(?:all)?\s?\([^)\n]{0,120}\bpwd\s?=|\.setpassword\s?\(|\bSevenZipFile\s?\([^)\n]{0,120}\bpassword\s?=|\bAESZipFile\s?\(|["'](?:7z[arz]?|7zz|unzip|unrar|bsdtar)["'][^\n]{0,160}?f?["'](?:-p\S|-P\b|--passphrase|--password)|\.pwd\s?=|\bextractall(?:To)?\w{0,8}\s?\([^)\n]{0,80}\bpassword\b/i

/** Whether one of the programs is in the folder to which the archive is extracted. */
function startsUnlocked(text: string, programs: readonly string[]): boolean {
  const folder = /extract(?:all)?\w{0,8}\s?\([^)\n]{0,60}?["']([^"'\n]{2,120})["']/i.exec(text)?.[1]
  return folder !== undefined && programs.some((program) => program.includes(folder))
}

const PYTHON_AUTOSTART = [
  /getsitepackages|getusersitepackages|USER_SITE|site-packages/,
  /\.pth["']|(?:site|user)customize\.py/,
  /write_text|write_bytes|\.write\(/,
]

/**
 * Records what a string literal refers to. Skips a literal that is a whole statement, because it is
 * documentation.
 */
function recordText(syntax: Syntax, node: SyntaxNode, facts: FileFacts): void {
  if (syntax.name(syntax.parent(node)) === 'ExpressionStatement') return
  const text = unquotedText(syntax, node)
  if (isOutboundUrl(text)) facts.sends = true
  if (isDropAddress(text)) facts.drops = true
  if (isSensitivePath(text)) facts.sensitive.push(node)
  else if (isPersonalPath(text)) facts.personal.push(node)
  else if (isSettingsPath(text)) facts.settings.push(node)
}

const TEXT_MAX_CHARS = 1_000

function unquotedText(syntax: Syntax, node: SyntaxNode): string {
  return syntax
    .textOf(node)
    .slice(0, TEXT_MAX_CHARS)
    .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, '')
}

function checkCallNode(file: CodeFile, node: SyntaxNode, facts: FileFacts, add: Add): void {
  const { syntax, language, resolve } = file
  const { effects, prefix } = language
  const args = argumentsOf(syntax, node)
  const command = args.positional[0] ?? args.named.get('args') ?? args.named.get('cmd')
  const program = command === undefined ? null : stringOf(syntax, command)
  // A command that consists only of literals can be read; a computed command cannot.
  const isLiteralCommand = program !== null && args.positional.every((value) => isLiteral(file, value))
  const usesShell =
    !isLiteralCommand && language.asksForShell(syntax, args, (value) => isAlwaysFalse(file, value))
  const [first, second] = syntax.children(node)
  const callee = (syntax.name(node) === 'NewExpression' ? second : first) ?? -1
  for (const path of syntax.name(node) === 'DynamicImport' ? ['import'] : resolve(callee)) {
    const call = { node, path, args, usesShell }
    reportFetched(file, node, fetchSourceRunByCall(file, call), add)
    if (effects.code.test(path)) {
      // `Function('return this')` is how libraries get the global object.
      if (!/^\s*return this;?\s*$/.test(program ?? '')) add(`${prefix}-dynamic-code`, node, quoted(path))
    } else if (effects.shell.test(path))
      add(`${prefix}-${program !== null ? 'subprocess' : 'shell-exec'}`, node, quoted(path))
    else if (effects.process.test(path))
      add(`${prefix}-${usesShell ? 'shell-exec' : 'subprocess'}`, node, quoted(path))
    else language.checkCall(path, syntax, node, resolve, (rule, summary) => add(rule, node, summary))
    const written = fileWrittenBy(file, node, path, args)
    if (written !== null && facts.written.size < FILES_MAX) facts.written.add(written)
    for (const started of filesStartedBy(file, call))
      if (facts.started.length < FILES_MAX) facts.started.push({ node, file: started })
    if (effects.shell.test(path) || effects.process.test(path)) {
      facts.process ??= node
      facts.programs.push(program ?? '')
    }
    if (effects.network.test(path)) {
      facts.sends = true
      const keys = findSentKeys(file, path, args)
      if (keys !== null) add(`${prefix}-keys-sent`, keys, 'A key file is sent over the network')
      if (argumentsExceptEnv(args).some((value) => carriesEnvironment(file, value, true)))
        add(`${prefix}-keys-sent`, node, 'The whole environment is sent over the network')
    }
    if (effects.socket.test(path) || path === 'os.dup2') facts.paths.add(path)
    if (effects.environmentListing.test(path)) facts.environments.push(node)
    if (effects.network.test(path) || effects.serializes.test(path))
      if (argumentsExceptEnv(args).some((value) => carriesEnvironment(file, value, true)))
        facts.environments.push(node)
  }
  checkPassedFunctions(file, args, add)
}

const FILES_MAX = 256

function reportFetched({ language }: CodeFile, node: SyntaxNode, source: Fetched | null, add: Add): void {
  if (source !== null)
    add(
      `${language.prefix}-${ruleForSource(source)}`,
      node,
      source === 'decoded' ? 'Decoded text is run' : 'Fetched text is run',
    )
}

/** Checks functions that are passed as arguments, since the receiver calls them. */
function checkPassedFunctions(file: CodeFile, args: Arguments, add: Add): void {
  const { syntax, language, resolve } = file
  for (const value of argumentsExceptEnv(args)) {
    const name = syntax.name(value)
    if (name !== 'VariableName' && name !== 'MemberExpression') continue
    for (const path of resolve(value)) {
      // `Function` as an argument is used as a type or in a type check.
      if (/\.(?:eval|exec)$/.test(path) && language.effects.code.test(path)) {
        add(`${language.prefix}-dynamic-code`, value, quoted(path))
        reportFetched(file, value, fetchSourceRunByCallback(file, value), add)
      } else if (path.startsWith('os.') && language.effects.shell.test(path))
        add(`${language.prefix}-shell-exec`, value, quoted(path))
    }
  }
}
