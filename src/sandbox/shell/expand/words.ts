// Expands words into fields of a command, one text, or a pattern.

import { concat } from '../../commands/io/bytes.ts'
import { decode } from '../../commands/io/text.ts'
import type { Part, Word } from '../syntax/tree.ts'
import { arithmetic, variableText } from '../state/assign.ts'
import { CommandError, ExpansionError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { expandBraces } from './braces.ts'
import { fileNames } from './glob.ts'
import { expandParameter } from './parameters.ts'
import type { WordExpander } from './targets.ts'
import { FieldSink, PatternSink, TextSink, type Sink } from './sinks.ts'

/** The field separators (IFS). */
export function separatorsOf(shell: Shell): string {
  return shell.variables.find('IFS') ? (variableText(shell, 'IFS') ?? ' \t\n') : ' \t\n'
}

/** Expands words into the arguments of a command. */
export async function expandFields(shell: Shell, words: readonly Word[]): Promise<string[]> {
  const fields: string[] = []
  for (const word of words) {
    const only = plainText(word)
    if (only !== null) fields.push(only)
    else await expandWord(shell, word, fields)
    shell.host.held(fields.length)
  }
  return fields
}

/** The text of a word without expansions, braces or patterns; null for other words. */
function plainText(word: Word): string | null {
  const [part] = word.parts
  if (word.parts.length !== 1 || part?.kind !== 'text') return null
  if (part.quoted) return part.text
  return /[{~*?[]|[+@!]\(/.test(part.text) ? null : part.text
}

async function expandWord(shell: Shell, word: Word, fields: string[]): Promise<void> {
  const words = shell.options.isOn('braceexpand')
    ? expandBraces(word, (count) => shell.host.held(count * 8))
    : [word]
  for (const one of words) {
    const sink = new FieldSink(separatorsOf(shell))
    await expandInto(shell, withHome(shell, one, isAssignment(one)), sink)
    sink.end()
    for (const field of sink.fields) fields.push(...(await fileNames(shell, field)))
  }
}

/** Expands a word into one text, as in an assignment, a redirection or the word of `case`. */
export async function expandText(shell: Shell, word: Word, assignment = false): Promise<string> {
  const only = plainText(word)
  if (only !== null) return only
  const sink = new TextSink(separatorsOf(shell))
  await expandInto(shell, withHome(shell, word, assignment), sink)
  shell.host.held(sink.text.length)
  return sink.text
}

/** Expands a word into a pattern, in which quoted characters match themselves. */
export async function expandPattern(shell: Shell, word: Word): Promise<string> {
  const sink = new PatternSink()
  await expandInto(shell, withHome(shell, word, false), sink)
  return sink.text
}

/** Expands a word into an extended regular expression, in which quoted characters match themselves. */
export async function expandExpression(shell: Shell, word: Word): Promise<string> {
  const sink = new PatternSink((text) => text.replaceAll(/[\\.*+?()[\]{}|^$]/g, String.raw`\$&`))
  await expandInto(shell, word, sink)
  return sink.text
}

/** Evaluates an arithmetic expression. `prefix` begins its error messages. */
export async function expandArithmetic(shell: Shell, word: Word, prefix = ''): Promise<bigint> {
  const [part] = word.parts
  const text = word.parts.length === 1 && part?.kind === 'text' ? part.text : await expandText(shell, word)
  return arithmetic(shell, text, prefix)
}

const WORDS: WordExpander = {
  text: expandText,
  pattern: expandPattern,
  arithmetic: expandArithmetic,
  async replacement(shell, word) {
    const sink = new PatternSink((text) => text.replaceAll(/[\\&]/g, String.raw`\$&`))
    await expandInto(shell, withHome(shell, word, false), sink)
    return sink.text
  },
  async into(shell, word, sink, inDouble) {
    if (word.parts.length === 0 && inDouble) sink.quoted('')
    const { parts } = inDouble ? word : withHome(shell, word, false)
    for (const part of parts) {
      if (part.kind === 'text' && !part.quoted && !inDouble) sink.result(part.text)
      else await expandPart(shell, part, sink, inDouble)
    }
  },
}

async function expandInto(shell: Shell, word: Word, sink: Sink): Promise<void> {
  for (const part of word.parts) await expandPart(shell, part, sink, false)
}

async function expandPart(shell: Shell, part: Part, sink: Sink, inDouble: boolean): Promise<void> {
  switch (part.kind) {
    case 'text':
      return part.quoted || inDouble ? sink.quoted(part.text) : sink.literal(part.text)
    case 'double':
      if (part.parts.length === 0) sink.quoted('')
      for (const inner of part.parts) await expandPart(shell, inner, sink, true)
      return undefined
    case 'parameter':
      return expansion(expandParameter(shell, part.parameter, sink, inDouble, WORDS))
    case 'command':
    case 'backquote': {
      const output = await shell.session.runner.substitute(
        shell,
        part.kind === 'command' ? part.body : part.text,
        part.kind === 'command' ? shell.line : part.line,
      )
      const text = outputText(output)
      return inDouble ? sink.quoted(text) : sink.result(text)
    }
    case 'arithmetic': {
      const text = String(await expansion(expandArithmetic(shell, part.expression)))
      return inDouble ? sink.quoted(text) : sink.result(text)
    }
    case 'process':
      return sink.quoted(await shell.session.runner.process(shell, part.direction, part.body))
    default:
      return part satisfies never
  }
}

/** Converts a `CommandError` to an `ExpansionError`, which distinguishes it from a command's own failure. */
async function expansion<Value>(running: Promise<Value>): Promise<Value> {
  try {
    return await running
  } catch (error) {
    const isPlain = error instanceof CommandError && !(error instanceof ExpansionError)
    throw isPlain ? new ExpansionError(error.message, error.status) : error
  }
}

/** The output of a command substitution as text, without NUL bytes and trailing line feeds. */
function outputText(bytes: Uint8Array): string {
  let end = bytes.length
  const zero = bytes.includes(0)
  const clean = zero ? concat(pieces(bytes)) : bytes
  end = clean.length
  while (end > 0 && clean[end - 1] === 10) end--
  return decode(clean.subarray(0, end))
}

function pieces(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let start = 0; start <= bytes.length;) {
    const end = bytes.indexOf(0, start)
    found.push(bytes.subarray(start, end === -1 ? bytes.length : end))
    if (end === -1) break
    start = end + 1
  }
  return found
}

/** Whether an argument looks like an assignment. Tildes in `path=~/x` are expanded, too. */
function isAssignment({ parts: [first] }: Word): boolean {
  return first?.kind === 'text' && !first.quoted && /^[A-Za-z_]\w*=/.test(first.text)
}

/** Expands `~` at the start of a word and, in an assignment, after colons. */
function withHome(shell: Shell, word: Word, assignment: boolean): Word {
  const [first] = word.parts
  const text = first?.kind === 'text' && !first.quoted ? first.text : ''
  if (!text.includes('~') || (!assignment && !text.startsWith('~'))) return word
  const whole = word.parts.length === 1
  const name = assignment ? (/^[A-Za-z_]\w*=/.exec(text)?.[0] ?? '') : ''
  const pieces = assignment ? text.slice(name.length).split(':') : [text]
  const parts = pieces.flatMap((piece, index): Part[] => {
    const before = index > 0 ? ':' : name
    const separator: Part[] = before === '' ? [] : [{ kind: 'text', text: before, quoted: false }]
    const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(piece) ?? []
    // `~` directly followed by another part (`~"x"`) is literal.
    const ends = rest !== '' || whole || index < pieces.length - 1
    const home = user === undefined || !ends ? null : homeOf(shell, user)
    if (home === null) return [...separator, { kind: 'text', text: piece, quoted: false }]
    return [
      ...separator,
      { kind: 'text', text: home, quoted: true },
      ...(rest === '' ? [] : [{ kind: 'text', text: rest, quoted: false } as const]),
    ]
  })
  return { ...word, parts: [...parts, ...word.parts.slice(1)] }
}

function homeOf(shell: Shell, user: string): string | null {
  if (user === '') return variableText(shell, 'HOME')
  if (user === '+') return shell.cwd
  if (user === 'root') return '/root'
  return user === '-' ? variableText(shell, 'OLDPWD') : null
}
