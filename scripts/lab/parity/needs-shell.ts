// What a shell script calls, by itself or by neighbours, that a plain machine has not got. A call counts wherever it stands:
// in a function, behind a condition, as what `env` or `xargs` starts, in the text of `trap`.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { parse } from 'just-bash'

import { PLAIN_COMMANDS } from './plain-commands.ts'

/** Commands that start the one that stands behind their options. */
const STARTERS = new Set(['env', 'nohup', 'exec', 'command', 'builtin', 'xargs', 'nice', 'timeout', 'setsid'])
const LANGUAGES = new Set(['python3', 'python', 'node', 'bash', 'sh', 'source', '.'])
/** Of a word what is only known when it runs. */
const UNKNOWN = '\0'

type Tree = { readonly [key: string]: unknown }

/**
 * Names of programs, sorted; `needsOf` tells those of a neighbour that it starts. What cannot be read as bash, or is named
 * by a variable, needs nothing: it is compared.
 */
export function shellScriptNeeds(
  file: string,
  needsOf: (neighbour: string) => readonly string[],
  seen: Set<string> = new Set(),
): readonly string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const found = new Set<string>()
  const { calls, functions } = callsOf(readFileSync(file, 'utf8'))
  for (const words of calls) {
    const [name = '', ...rest] = words
    const neighbours = [name, ...(LANGUAGES.has(name) ? rest : [])].flatMap((word) => near(file, word))
    for (const neighbour of neighbours) {
      const isShell = !/\.(?:py|[cm]?[jt]s)$/.test(neighbour)
      const needs = isShell ? shellScriptNeeds(neighbour, needsOf, seen) : needsOf(neighbour)
      for (const one of needs) found.add(one)
    }
    const known = name === '' || name.includes(UNKNOWN) || functions.has(name) || PLAIN_COMMANDS.has(name)
    if (!known && neighbours.length === 0) found.add(name)
  }
  return [...found].toSorted()
}

interface Calls {
  readonly calls: readonly (readonly string[])[]
  readonly functions: ReadonlySet<string>
}

function callsOf(text: string): Calls {
  const calls: (readonly string[])[] = []
  const functions = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    // The cast: a plain object of the parser's.
    const tree = value as Tree
    if (tree['type'] === 'FunctionDef') functions.add(String(tree['name']))
    if (tree['type'] === 'SimpleCommand' && tree['name']) {
      const words = [tree['name'], ...list(tree['args'])].map(textOf)
      for (const call of started(words)) calls.push(call)
      const inner = codeOf(words)
      if (inner !== '') {
        const found = callsOf(inner)
        calls.push(...found.calls)
        for (const name of found.functions) functions.add(name)
      }
    }
    for (const child of Object.values(tree)) visit(child)
  }
  try {
    visit(parse(text))
  } catch {
    // Text that only the real bash can read.
  }
  return { calls, functions }
}

/** The call itself, and what it starts. */
function started(words: readonly string[]): readonly (readonly string[])[] {
  const [name = '', ...rest] = words
  if (name === 'find') {
    const at = rest.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word))
    return at === -1 ? [words] : [words, ...started(rest.slice(at + 1))]
  }
  if (!STARTERS.has(name) || rest[0] === '-v' || rest[0] === '-V') return [words]
  const at = rest.findIndex((word) => !/^(?:-|[A-Za-z_]\w*=|\d)/.test(word))
  return at === -1 ? [words] : [words, ...started(rest.slice(at))]
}

/** Text that a call runs as shell. */
function codeOf([name = '', first = '', second = '']: readonly string[]): string {
  if (name === 'trap' || name === 'eval') return first.replaceAll(UNKNOWN, '')
  return (name === 'bash' || name === 'sh') && first === '-c' ? second.replaceAll(UNKNOWN, '') : ''
}

/** A word without its quotes. */
function textOf(word: unknown): string {
  // The cast: a word or a part of one of the parser's.
  const { type, value, parts } = word as Tree
  if (parts) return list(parts).map(textOf).join('')
  if (type === 'Literal' || type === 'SingleQuoted' || type === 'Escaped') return String(value)
  return UNKNOWN
}

/** Files of the script's folder that a word names: by all of it, or by its end where the folder is computed. */
function near(file: string, word: string): readonly string[] {
  const tail = word.slice(word.lastIndexOf(UNKNOWN) + 1).replace(/^\//, '')
  if (tail === '' || tail.includes('\n')) return []
  const path = join(dirname(file), tail)
  return existsSync(path) && statSync(path).isFile() ? [path] : []
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
