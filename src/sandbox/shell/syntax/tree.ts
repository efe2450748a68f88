// The syntax tree of a script. Words, parameters and functions keep their source text for messages.

export interface Script {
  readonly items: readonly ListItem[]
}
/** One and-or list. `background` means that `&` follows, `endsLine` that only the end of the line follows. */
export interface ListItem {
  readonly endsLine: boolean
  readonly chain: readonly ChainLink[]
  readonly background: boolean
}
/** `operator` joins the pipeline to the previous one; it is `;` for the first. */
export interface ChainLink {
  readonly operator: ';' | '&&' | '||'
  readonly pipeline: Pipeline
}
export interface Pipeline {
  readonly commands: readonly Command[]
  readonly negated: boolean
  /** Whether `time` precedes the pipeline, and in which format it prints (`posix` with `-p`). */
  readonly timed: 'bash' | 'posix' | null
}

export type Command = SimpleCommand | CompoundCommand
export interface SimpleCommand {
  readonly kind: 'simple'
  readonly line: number
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}
export interface CompoundCommand {
  readonly kind: 'compound'
  readonly line: number
  readonly body: Compound
  readonly redirects: readonly Redirect[]
}
export type Compound =
  | { readonly kind: 'group'; readonly body: Script }
  | { readonly kind: 'subshell'; readonly body: Script }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: Script | null }
  | { readonly kind: 'loop'; readonly until: boolean; readonly test: Script; readonly body: Script }
  /** `words` is null for `for x; do`, which iterates over the positional parameters. */
  | {
      readonly kind: 'for'
      readonly name: string
      readonly words: readonly Word[] | null
      readonly body: Script
    }
  | { readonly kind: 'count'; readonly parts: readonly [Word, Word, Word]; readonly body: Script }
  | { readonly kind: 'case'; readonly word: Word; readonly clauses: readonly CaseClause[] }
  | { readonly kind: 'condition'; readonly test: Condition }
  | { readonly kind: 'arithmetic'; readonly expression: Word }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command }
export interface Branch {
  readonly test: Script
  readonly body: Script
}
export interface CaseClause {
  readonly patterns: readonly Word[]
  readonly body: Script
  /** `;;` ends the command, `;&` continues with the next body, `;;&` tests the next patterns. */
  readonly end: ';;' | ';&' | ';;&'
}
export type Condition =
  | { readonly kind: 'not' | 'grouped'; readonly test: Condition }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'unary'; readonly operator: string; readonly word: Word }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word }

export interface Assignment {
  readonly name: string
  /** The subscript without its brackets; null if there is none. */
  readonly subscript: Word | null
  /** Whether the operator is `+=`. */
  readonly appends: boolean
  readonly value: Word | readonly ArrayItem[]
}
export interface ArrayItem {
  readonly subscript: Word | null
  readonly appends: boolean
  readonly value: Word
}

export interface Redirect {
  readonly operator: '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<<'
  /** The descriptor before the operator; null for the default. */
  readonly descriptor: number | null
  /** The variable that receives the descriptor (`{name}>`). */
  readonly variable: string | null
  /** For `<<`: the delimiter until the body has been read, then the body. */
  target: Word
  /** Set for `<<` once its body has been read. */
  here?: { readonly delimiter: string; readonly quoted: boolean; readonly indented: boolean }
}

export interface Word {
  readonly parts: readonly Part[]
  readonly source: string
  /** Set if the word looks like an assignment, for `declare` and similar commands. */
  readonly assignment?: Assignment
}
/** `written` is the source of commands within a word, with their parentheses. */
export type Part =
  /** `quoted` means quoted by quotes or a backslash. */
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'double'; readonly parts: readonly Part[] }
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  | { readonly kind: 'command'; readonly body: Script; readonly written: string }
  /** Backquotes, whose text is parsed when it runs. */
  | { readonly kind: 'backquote'; readonly text: string; readonly line: number }
  | { readonly kind: 'arithmetic'; readonly expression: Word }
  | {
      readonly kind: 'process'
      readonly direction: '<' | '>'
      readonly body: Script
      readonly written: string
    }

export interface Parameter {
  /** A name, a number or a special character. */
  readonly name: string
  readonly subscript: '@' | '*' | Word | null
  /** Whether it is indirect (`${!name}`). */
  readonly indirect: boolean
  readonly operation: Operation | null
  /** The source text, for messages. */
  readonly source: string
}
export type Operation =
  | { readonly kind: 'length' }
  /** `${!prefix*}`, or `${!prefix@}` with `separate`: one word per name. */
  | { readonly kind: 'names'; readonly separate: boolean }
  /** `${!array[@]}`. */
  | { readonly kind: 'keys' }
  /** The operators `-`, `=`, `?` and `+`; `orEmpty` means that a colon precedes them. */
  | {
      readonly kind: 'default'
      readonly operator: '-' | '=' | '?' | '+'
      readonly orEmpty: boolean
      readonly word: Word
    }
  | { readonly kind: 'trim'; readonly operator: '#' | '##' | '%' | '%%'; readonly pattern: Word }
  | {
      readonly kind: 'replace'
      readonly where: 'first' | 'all' | 'start' | 'end'
      readonly pattern: Word
      readonly replacement: Word | null
    }
  | {
      readonly kind: 'case'
      readonly operator: '^' | '^^' | ',' | ',,' | '~' | '~~'
      readonly pattern: Word | null
    }
  | { readonly kind: 'substring'; readonly offset: Word; readonly length: Word | null }
  | { readonly kind: 'transform'; readonly operator: string }
  /** A bad substitution, which is reported at run time. */
  | { readonly kind: 'invalid' }

/** The text of a word without quotes or expansions; null for other words. Patterns, `~` and braces count as text. */
export function literalOf(word: Word): string | null {
  let text = ''
  for (const part of word.parts) {
    if (part.kind !== 'text' || part.quoted) return null
    text += part.text
  }
  return text
}
