// The interface of a parsed language: its scopes, its parser, and what the functions of its libraries do.
// Python and JavaScript implement it.

import type { Steps } from '../../../../lib/steps.ts'
import type { RuleId } from '../../rules/rules.ts'
import type { Bind } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import type { Arguments } from './values.ts'

export interface ParsedCode {
  /** Null if there is no usable tree. */
  readonly syntax: Syntax | null
  /**
   * Where and why parsing failed; null if it succeeded. `hidesNames` is true if the unparsed part may contain
   * a relevant name.
   */
  readonly problem: { readonly offset: number; readonly reason: string; readonly hidesNames: boolean } | null
}

/**
 * Returns every path that an expression may refer to: `os.system`, `requests.Session()` for the result of a
 * call, and `?` for an unknown value.
 */
export type Resolve = (node: SyntaxNode) => readonly string[]

/** Which paths have which effect. */
interface Effects {
  /** Runs any text as code. */
  readonly code: RegExp
  /** Runs a command in a shell. */
  readonly shell: RegExp
  /** Starts a program, optionally in a shell. */
  readonly process: RegExp
  /** Can send data. */
  readonly network: RegExp
  readonly socket: RegExp
  /** The whole environment, methods that list it, and functions that turn it into text or a list. */
  readonly environment: RegExp
  readonly environmentListing: RegExp
  readonly serializes: RegExp
}

export interface CodeLanguage {
  readonly prefix: 'python' | 'javascript'
  /** The path prefix of names that the file does not define. */
  readonly globalPrefix: string
  readonly scopes: ReadonlySet<string>
  readonly effects: Effects
  /** Names that turn a parse failure into a warning. */
  readonly suspiciousNames: RegExp
  /** Names that are relevant to the rules; text without any of them is not parsed. */
  readonly relevantNames: RegExp
  readonly parse: (path: string, text: string) => Steps<ParsedCode>
  /** Records the values that a node assigns to names. */
  readonly recordNames: (syntax: Syntax, node: SyntaxNode, bind: Bind) => void
  /** Normalizes an identifier as the language does. */
  readonly normalizeName: (text: string) => string
  /** Replaces known aliases in a path. */
  readonly canonicalPath: (path: string) => string
  /** The paths of the result of a call, for imports, look-ups and copies; null for other calls. */
  readonly resultOfCall: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
  ) => readonly string[] | null
  /** Whether a call asks for a shell. `isFalse` returns whether a value is false. */
  readonly asksForShell: (syntax: Syntax, args: Arguments, isFalse: (value: SyntaxNode) => boolean) => boolean
  /** Applies the rules that are specific to this language to a call. */
  readonly checkCall: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
    add: (rule: RuleId, summary: string) => void,
  ) => void
  /** Whether the file connects a socket to the input and output of a process. */
  readonly connectsSocketToProcess: (facts: FileFacts) => boolean
}

interface FileFacts {
  readonly text: string
  readonly paths: ReadonlySet<string>
  /** Literal first arguments of calls that start a program. */
  readonly programs: readonly string[]
}
