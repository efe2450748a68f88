// The compiled patterns of `grep`.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { latin1OfText } from '../io/latin1.ts'
import { TooManySteps } from '../pattern/backtrack.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import { choice, PatternError, sequence, type Tree } from '../pattern/tree.ts'
import { PerlPattern } from '../perl/pattern.ts'
import { Literals } from './literals.ts'
import { needleOf } from './needle.ts'
import type { GrepOptions } from './options.ts'

type Span = readonly [start: number, end: number]

export interface Matcher {
  /** The first match at or after `from` in a line (a text of io/text.ts). */
  find(line: string, from: number): Span | null
  /** Text that every matching line contains, as Latin-1; empty if unknown. */
  readonly needle: string
  /** Whether every line that contains `needle` matches. */
  readonly exact: boolean
}

export async function matcherOf(io: CommandIo, options: GrepOptions): Promise<Matcher> {
  try {
    if (options.kind === 'perl') return perlMatcher(options)
    if (options.kind !== 'fixed') await warn(io, options)
    return guarded(posixMatcher(options))
  } catch (error) {
    if (error instanceof UnsupportedPattern)
      throw new Unsupported(
        `grep: ${error.message}`,
        'a pattern without it, or a program for python3 or node',
      )
    if (error instanceof PatternError) throw new Failed(error.message, 2)
    throw error
  }
}

const BRACKETS = /\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/g
const STRAY = /\\(?:([ac-rt-vx-zACD-RTUVX-Z%&=:;,"@~!#_/-])|.)/gs

/**
 * Warns about backslashes without meaning. Throws for patterns that the C library's two engines interpret differently.
 */
async function warn(io: CommandIo, { kind, patterns }: GrepOptions): Promise<void> {
  for (const pattern of patterns) {
    const plain = pattern.replaceAll(BRACKETS, '[]')
    if (kind === 'extended' && /(?:^|[^\\])(?:\^[*+?{]|(?:^|[(|])\{\d*,?\d*\})/.test(plain))
      throw new Unsupported('grep: a repetition without anything before it', 'the pattern without it')
    for (const [, char] of plain.matchAll(STRAY))
      if (char !== undefined) await io.stderr.write(`${io.name}: warning: stray \\ before ${char}\n`)
  }
}

const NOTHING: Matcher = { find: () => null, needle: '', exact: false }
/** Above this number, fixed strings are looked up by their first characters. */
const MANY = 10

function posixMatcher(options: GrepOptions): Matcher {
  const { kind, ignoreCase, within } = options
  const patterns = [...new Set(options.patterns)]
  if (patterns.length === 0) return NOTHING
  const [only = ''] = patterns
  if (kind === 'fixed' && !ignoreCase) {
    if (patterns.length === 1 && within === 'anything') return literal(only)
    if (patterns.length > MANY && within !== 'word') return literals(patterns, within)
  }
  let groups = 0
  const trees = patterns.map((text) => {
    if (kind === 'fixed') return fixedTree(text, ignoreCase)
    const parsed = parsePattern(text, {
      extended: kind === 'extended',
      ignoreCase,
      bytesOnly: options.bytesOnly,
      lenient: kind === 'extended',
      groupsBefore: groups,
    })
    groups += parsed.groups
    return parsed.tree
  })
  const body = choice(trees)
  const needle = ignoreCase || patterns.length > 1 ? '' : needleOf(body)
  const pattern = new Pattern(bounded(body, within), { groups, ignoreCase })
  const plain = within === 'word' ? new Pattern(body, { groups, ignoreCase }) : null
  return {
    find: (line, from) => {
      if (plain && !plain.find(line, from)) return null
      const found = pattern.find(line, from)
      return found && [found.start, found.end]
    },
    needle: latin1OfText(needle),
    exact: within === 'anything' && needle !== '' && isLiteral(body),
  }
}

function literal(text: string): Matcher {
  return {
    find: (line, from) => {
      const start = line.indexOf(text, from)
      return start === -1 ? null : [start, start + text.length]
    },
    needle: latin1OfText(text),
    exact: text !== '',
  }
}

function literals(texts: readonly string[], within: 'anything' | 'line'): Matcher {
  const all = new Literals(texts)
  return {
    find: (line, from) =>
      within === 'anything' ? all.find(line, from) : from === 0 && all.has(line) ? [0, line.length] : null,
    needle: '',
    exact: false,
  }
}

function fixedTree(text: string, ignoreCase: boolean): Tree {
  return parsePattern(text.replace(/[\\^$.*[\]]/g, String.raw`\$&`), { extended: false, ignoreCase }).tree
}

function bounded(body: Tree, within: GrepOptions['within']): Tree {
  if (within === 'anything') return body
  const [before, after] =
    within === 'line' ? (['textStart', 'textEnd'] as const) : (['noWordBefore', 'noWordAfter'] as const)
  return sequence([{ kind: 'mark', mark: before }, body, { kind: 'mark', mark: after }])
}

function isLiteral(tree: Tree): boolean {
  if (tree.kind === 'sequence') return tree.items.every(isLiteral)
  return tree.kind === 'char' && tree.set.single() !== null
}

function perlMatcher({ patterns, ignoreCase, bytesOnly, within }: GrepOptions): Matcher {
  if (patterns.length === 0) return NOTHING
  if (patterns.length > 1) throw new Failed('the -P option only supports a single pattern', 2)
  const pattern = new PerlPattern(patterns[0] ?? '', { ignoreCase, bytesOnly, within })
  return guarded({ find: (line, from) => pattern.find(line, from), needle: '', exact: false })
}

function guarded(matcher: Matcher): Matcher {
  return {
    ...matcher,
    find: (line, from) => {
      try {
        return matcher.find(line, from)
      } catch (error) {
        if (error instanceof TooManySteps)
          throw new Unsupported('grep: a pattern that needs so many steps', 'a simpler pattern, or python3')
        throw error
      }
    },
  }
}
