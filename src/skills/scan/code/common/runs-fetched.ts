// Detects calls that run fetched text: as code, as a command, or through an interpreter. Also lists the files
// that a call writes and starts.

import { isUntrusted } from '../../shell/shell-origin.ts'
import { findFetchSourceAround, findFetchSource, isObfuscated } from './fetch-source.ts'
import type { CodeFile, FetchSource } from './fetch-source.ts'
import type { SyntaxNode } from './syntax.ts'
import { stringOf } from './values.ts'
import type { Arguments } from './values.ts'

/** A call with one of the paths that it may refer to, its arguments, and whether it uses a shell. */
export interface CodeCall {
  readonly node: SyntaxNode
  readonly path: string
  readonly args: Arguments
  readonly usesShell: boolean
}

const INTERPRETER =
  /^(?:\/[\w/.-]{1,40}\/)?(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|deno|bun|perl|ruby|php|pwsh|powershell)(?:\.exe)?$/i
const OWN_INTERPRETER = /^(?:sys\.executable|globals\.process\.(?:execPath|argv0))$/
/**
 * Literals and expressions that build a command. A built command may contain fetched text, but it is not
 * fetched itself.
 */
const BUILT_KINDS =
  /^(?:String|FormatString|TemplateString|BinaryExpression|ContinuedString|ArrayExpression|ObjectExpression)$/
const PROGRAM_IN_ARGUMENT = /^(?:-[ce]|--eval|-Command|-)$/
const PARTS_MAX = 16

/** Where the text that a call runs was fetched from; null if it was not fetched. */
export function fetchSourceRunByCall(
  file: CodeFile,
  { node, path, args, usesShell }: CodeCall,
): FetchSource | null {
  const { effects } = file.language
  const [first] = args.positional
  if (effects.code.test(path)) {
    if (first !== undefined && isObfuscated(file, first)) return 'decoded'
    return (
      firstSource(args.positional, (value) => findFetchSource(file, value)) ?? sourceAround(file, node, first)
    )
  }
  if (!effects.shell.test(path) && !effects.process.test(path)) return null
  const command = first ?? args.named.get('args') ?? args.named.get('cmd')
  if (command === undefined) return null
  if ((usesShell || effects.shell.test(path)) && !BUILT_KINDS.test(file.syntax.name(command)))
    return findFetchSource(file, command)
  return fetchSourceOfInterpreter(file, args, command)
}

/** Like `fetchSourceRunByCall`, for a function that runs code and is passed as a callback: `fetch(u).then(eval)`. */
export function fetchSourceRunByCallback(file: CodeFile, value: SyntaxNode): FetchSource | null {
  return findFetchSourceAround(file, value)
}

/** The rule for running text from this source. An address that is supplied at run time may be trustworthy. */
export function ruleForSource(source: FetchSource): 'untrusted-code' | 'fetched-code' | 'received-code' {
  if (source === 'unknown' || source === 'local') return 'received-code'
  return isUntrusted(source) ? 'untrusted-code' : 'fetched-code'
}

function sourceAround(file: CodeFile, node: SyntaxNode, first: SyntaxNode | undefined): FetchSource | null {
  return first === undefined || stringOf(file.syntax, first) !== null
    ? null
    : findFetchSourceAround(file, node)
}

function fetchSourceOfInterpreter(file: CodeFile, args: Arguments, command: SyntaxNode): FetchSource | null {
  const parts = commandParts(file, [command, ...args.positional.slice(1)])
  const [program] = parts
  if (program === undefined || !isInterpreter(file, program)) return null
  const flagIndex = parts.findIndex((part) => PROGRAM_IN_ARGUMENT.test(stringOf(file.syntax, part) ?? ''))
  const input = args.named.get('input')
  const values = [
    ...(flagIndex < 0 ? [] : parts.slice(flagIndex + 1)),
    ...(input === undefined ? [] : [input]),
  ]
  const options = args.positional.filter((value) => file.syntax.name(value) === 'ObjectExpression')
  const inputs = options.filter((option) => /\binput\b/.test(file.syntax.textOf(option).slice(0, 400)))
  return firstSource([...values, ...inputs], (value) => findFetchSource(file, value))
}

function isInterpreter({ syntax, resolve }: CodeFile, program: SyntaxNode): boolean {
  const name = stringOf(syntax, program)
  return name === null ? resolve(program).some((path) => OWN_INTERPRETER.test(path)) : INTERPRETER.test(name)
}

/** The program and arguments of a command. Lists are flattened. */
function commandParts({ syntax }: CodeFile, values: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const parts = values.flatMap((value) =>
    /^(?:ArrayExpression|TupleExpression)$/.test(syntax.name(value))
      ? syntax.children(value).filter((child) => !/^[[\](),]$/.test(syntax.name(child)))
      : [value],
  )
  return parts.slice(0, PARTS_MAX)
}

function firstSource(
  values: readonly SyntaxNode[],
  find: (value: SyntaxNode) => FetchSource | null,
): FetchSource | null {
  for (const value of values.slice(0, PARTS_MAX)) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}

const WRITE_CALLS =
  /(?:^|\.)(?:write_bytes|write_text|writeFile(?:Sync)?|createWriteStream|urlretrieve)$|^builtins\.open$|^globals\.Bun\.write$/
const START_CALLS =
  /^(?:runpy\.run_path|importlib\.util\.spec_from_file_location|importlib\.machinery\.SourceFileLoader)$/

/** A write to a handle. A temporary file is written through its handle and started by its name. */
const HANDLE_WRITE = /^(\w{1,40})\.write$/

/** The expression for the file that a call writes; null if it writes none. */
export function fileWrittenBy(
  { syntax }: CodeFile,
  node: SyntaxNode,
  path: string,
  { positional, named }: Arguments,
): string | null {
  const handle = HANDLE_WRITE.exec(syntax.textOf(syntax.children(node)[0] ?? -1).slice(-60))?.[1]
  if (handle !== undefined && /\b(?:Named)?TemporaryFile\b/.test(syntax.text)) return `${handle}.name`
  if (!WRITE_CALLS.test(path)) return null
  const mode = positional[1] ?? named.get('mode')
  if (path === 'builtins.open' && !/w/.test(mode === undefined ? '' : syntax.textOf(mode))) return null
  const [callee = -1] = syntax.children(node)
  const target = path.endsWith('urlretrieve')
    ? positional[1]
    : /\.write_(?:bytes|text)$/.test(path)
      ? syntax.children(callee)[0]
      : positional[0]
  return target === undefined ? null : withoutConversions(syntax.textOf(target))
}

/** The expressions for the files that a call starts or loads as code. */
export function filesStartedBy(file: CodeFile, { path, args, usesShell }: CodeCall): readonly string[] {
  const { syntax, language } = file
  const { effects } = language
  if (START_CALLS.test(path)) return args.positional.map((value) => withoutConversions(syntax.textOf(value)))
  if (!effects.process.test(path) && !effects.shell.test(path)) return []
  const parts = commandParts(file, args.positional)
  const [program, ...others] = parts
  if (program === undefined || usesShell || effects.shell.test(path)) return []
  // Arguments after the script belong to the script.
  const script = others.find((part) => !stringOf(syntax, part)?.startsWith('-'))
  const files = isInterpreter(file, program) && script !== undefined ? [program, script] : [program]
  return files.map((part) => withoutConversions(syntax.textOf(part)))
}

function withoutConversions(text: string): string {
  return text
    .slice(0, 200)
    .replace(/^(?:str|os\.fspath|fspath)\(|\)$|\.as_posix\(\)?$/g, '')
    .trim()
}
