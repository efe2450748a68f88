// Detects calls that run fetched text: as code, as a command, or through an interpreter. Also lists the files
// that a call writes and starts.

import { isGrave } from '../../shell/shell-origin.ts'
import { fetchedAround, fetchedIn, isSpelled } from './fetched.ts'
import type { CodeFile, FetchSource } from './fetched.ts'
import type { SyntaxNode } from './syntax.ts'
import { stringOf } from './values.ts'
import type { Arguments } from './values.ts'

/** A call with one of the paths that it may refer to, its arguments, and whether it uses a shell. */
export interface CodeCall {
  readonly node: SyntaxNode
  readonly path: string
  readonly given: Arguments
  readonly shells: boolean
}

const INTERPRETER =
  /^(?:\/[\w/.-]{1,40}\/)?(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|deno|bun|perl|ruby|php|pwsh|powershell)(?:\.exe)?$/i
const OWN = /^(?:sys\.executable|globals\.process\.(?:execPath|argv0))$/
/**
 * Literals and expressions that build a command. A built command may contain fetched text, but it is not
 * fetched itself.
 */
const PUT_TOGETHER =
  /^(?:String|FormatString|TemplateString|BinaryExpression|ContinuedString|ArrayExpression|ObjectExpression)$/
const PROGRAM_IN_ARGUMENT = /^(?:-[ce]|--eval|-Command|-)$/
const PARTS_MAX = 16

/** Where the text that a call runs was fetched from; null if it was not fetched. */
export function ranByCall(file: CodeFile, { node, path, given, shells }: CodeCall): FetchSource | null {
  const { does } = file.language
  const [first] = given.positional
  if (does.code.test(path)) {
    if (first !== undefined && isSpelled(file, first)) return 'decoded'
    return firstOf(given.positional, (value) => fetchedIn(file, value)) ?? around(file, node, first)
  }
  if (!does.shell.test(path) && !does.process.test(path)) return null
  const command = first ?? given.named.get('args') ?? given.named.get('cmd')
  if (command === undefined) return null
  if ((shells || does.shell.test(path)) && !PUT_TOGETHER.test(file.syntax.name(command)))
    return fetchedIn(file, command)
  return throughInterpreter(file, given, command)
}

/** Like `ranByCall`, for a function that runs code and is passed as a callback: `fetch(u).then(eval)`. */
export function ranByHand(file: CodeFile, value: SyntaxNode): FetchSource | null {
  return fetchedAround(file, value)
}

/** The rule for running text from this source. An address that is supplied at run time may be trustworthy. */
export function ruleOf(source: FetchSource): 'untrusted-code' | 'fetched-code' | 'received-code' {
  if (source === 'unknown' || source === 'local') return 'received-code'
  return isGrave(source) ? 'untrusted-code' : 'fetched-code'
}

function around(file: CodeFile, node: SyntaxNode, first: SyntaxNode | undefined): FetchSource | null {
  return first === undefined || stringOf(file.syntax, first) !== null ? null : fetchedAround(file, node)
}

function throughInterpreter(file: CodeFile, given: Arguments, command: SyntaxNode): FetchSource | null {
  const parts = partsOf(file, [command, ...given.positional.slice(1)])
  const [program] = parts
  if (program === undefined || !isInterpreter(file, program)) return null
  const at = parts.findIndex((part) => PROGRAM_IN_ARGUMENT.test(stringOf(file.syntax, part) ?? ''))
  const input = given.named.get('input')
  const values = [...(at < 0 ? [] : parts.slice(at + 1)), ...(input === undefined ? [] : [input])]
  const options = given.positional.filter((value) => file.syntax.name(value) === 'ObjectExpression')
  const inputs = options.filter((option) => /\binput\b/.test(file.syntax.textOf(option).slice(0, 400)))
  return firstOf([...values, ...inputs], (value) => fetchedIn(file, value))
}

function isInterpreter({ syntax, resolve }: CodeFile, program: SyntaxNode): boolean {
  const name = stringOf(syntax, program)
  return name === null ? resolve(program).some((path) => OWN.test(path)) : INTERPRETER.test(name)
}

/** The program and arguments of a command. Lists are flattened. */
function partsOf({ syntax }: CodeFile, values: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const parts = values.flatMap((value) =>
    /^(?:ArrayExpression|TupleExpression)$/.test(syntax.name(value))
      ? syntax.kids(value).filter((kid) => !/^[[\](),]$/.test(syntax.name(kid)))
      : [value],
  )
  return parts.slice(0, PARTS_MAX)
}

function firstOf(
  values: readonly SyntaxNode[],
  find: (value: SyntaxNode) => FetchSource | null,
): FetchSource | null {
  for (const value of values.slice(0, PARTS_MAX)) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}

const WRITES =
  /(?:^|\.)(?:write_bytes|write_text|writeFile(?:Sync)?|createWriteStream|urlretrieve)$|^builtins\.open$|^globals\.Bun\.write$/
const STARTS_FILE =
  /^(?:runpy\.run_path|importlib\.util\.spec_from_file_location|importlib\.machinery\.SourceFileLoader)$/

/** A write to a handle. A temporary file is written through its handle and started by its name. */
const HANDLE = /^(\w{1,40})\.write$/

/** The expression for the file that a call writes; null if it writes none. */
export function writtenBy(
  { syntax }: CodeFile,
  node: SyntaxNode,
  path: string,
  { positional, named }: Arguments,
): string | null {
  const handle = HANDLE.exec(syntax.textOf(syntax.kids(node)[0] ?? -1).slice(-60))?.[1]
  if (handle !== undefined && /\b(?:Named)?TemporaryFile\b/.test(syntax.text)) return `${handle}.name`
  if (!WRITES.test(path)) return null
  const mode = positional[1] ?? named.get('mode')
  if (path === 'builtins.open' && !/w/.test(mode === undefined ? '' : syntax.textOf(mode))) return null
  const [callee = -1] = syntax.kids(node)
  const target = path.endsWith('urlretrieve')
    ? positional[1]
    : /\.write_(?:bytes|text)$/.test(path)
      ? syntax.kids(callee)[0]
      : positional[0]
  return target === undefined ? null : plain(syntax.textOf(target))
}

/** The expressions for the files that a call starts or loads as code. */
export function startedBy(file: CodeFile, { path, given, shells }: CodeCall): readonly string[] {
  const { syntax, language } = file
  const { does } = language
  if (STARTS_FILE.test(path)) return given.positional.map((value) => plain(syntax.textOf(value)))
  if (!does.process.test(path) && !does.shell.test(path)) return []
  const parts = partsOf(file, given.positional)
  const [program, ...others] = parts
  if (program === undefined || shells || does.shell.test(path)) return []
  // Arguments after the script belong to the script.
  const script = others.find((part) => !stringOf(syntax, part)?.startsWith('-'))
  const files = isInterpreter(file, program) && script !== undefined ? [program, script] : [program]
  return files.map((part) => plain(syntax.textOf(part)))
}

function plain(text: string): string {
  return text
    .slice(0, 200)
    .replace(/^(?:str|os\.fspath|fspath)\(|\)$|\.as_posix\(\)?$/g, '')
    .trim()
}
