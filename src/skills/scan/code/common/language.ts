// The interface of a parsed language: the shapes of its grammar, and the effects of its names. Python and JavaScript
// implement it.

import type { Steps } from '../../../../lib/steps.ts'
import type { RuleId } from '../../rules/rules.ts'
import type { Bind } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import type { Arguments } from './values.ts'

export interface ParsedCode {
  /** Null without a usable tree. */
  readonly syntax: Syntax | null
  /** Where parsing failed; `hides`: a relevant name may be there. */
  readonly trouble: { readonly offset: number; readonly reason: string; readonly hides: boolean } | null
}

/**
 * Every path that an expression may name: `os.system`; `requests.Session()` for the result of a call; `?` for unknown.
 */
export type Resolve = (node: SyntaxNode) => readonly string[]

/** The effects of paths. */
interface Doings {
  /** Runs any text as code. */
  readonly code: RegExp
  /** Always goes through a shell. */
  readonly shell: RegExp
  /** Starts a program, through a shell on request. */
  readonly process: RegExp
  /** Can send data. */
  readonly network: RegExp
  readonly socket: RegExp
  /** The whole environment, a listing of it, and functions that turn it into text or a list. */
  readonly environment: RegExp
  readonly listed: RegExp
  readonly dumps: RegExp
}

export interface CodeLanguage {
  readonly prefix: 'python' | 'javascript'
  /** The prefix of a name that nothing in the file gives a value to. */
  readonly outerName: string
  readonly scopes: ReadonlySet<string>
  readonly does: Doings
  /** Relevant names: one of them turns a parse failure into a warning. */
  readonly matters: RegExp
  /** Text without any of these is irrelevant to the rules. */
  readonly hints: RegExp
  readonly parse: (path: string, text: string) => Steps<ParsedCode>
  /** Reads which values a node gives to names. */
  readonly collect: (syntax: Syntax, node: SyntaxNode, bind: Bind) => void
  /** Normalizes a name as the language does. */
  readonly word: (text: string) => string
  /** Maps aliases to one name. */
  readonly canonical: (path: string) => string
  /** The result of calling a path, if known: imports, look-ups, copies. */
  readonly called: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
  ) => readonly string[] | null
  /** Whether a call uses a shell. `off`: whether a value is false. */
  readonly asksForShell: (syntax: Syntax, given: Arguments, off: (value: SyntaxNode) => boolean) => boolean
  /** Rules for calls that only this language has. */
  readonly judge: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
    add: (rule: RuleId, seen: string) => void,
  ) => void
  /** Whether a socket and a process in one file are connected to each other. */
  readonly ties: (seen: TiesSeen) => boolean
}

interface TiesSeen {
  readonly text: string
  readonly paths: ReadonlySet<string>
  /** Literal first arguments of calls that start a program. */
  readonly programs: readonly string[]
}
