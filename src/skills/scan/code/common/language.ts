// What a parsed language is to the rules: its grammar's shapes, and what its names do. Python and JavaScript are two of them.

import type { Steps } from '../../../../lib/steps.ts'
import type { RuleId } from '../../rules/rules.ts'
import type { Bind } from './names.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'
import type { Arguments } from './values.ts'

export interface ParsedCode {
  /** Null where there is no tree that can be walked. */
  readonly syntax: Syntax | null
  /** Where the tree has holes; `hides`: a name that matters may stand in one. */
  readonly trouble: { readonly offset: number; readonly reason: string; readonly hides: boolean } | null
}

/** Every path an expression may name: `os.system`; `requests.Session()` for what a call gives; a `?` for what is unknown. */
export type Resolve = (node: SyntaxNode) => readonly string[]

/** What the paths of a language do. */
interface Doings {
  /** Runs text as code, whatever it is given. */
  readonly code: RegExp
  /** Always goes through a shell. */
  readonly shell: RegExp
  /** Starts a program, through a shell when it is told to. */
  readonly process: RegExp
  /** Can send something. */
  readonly network: RegExp
  readonly socket: RegExp
  /** The whole environment, one that is listed, and what makes a text or a list of what it is given. */
  readonly environment: RegExp
  readonly listed: RegExp
  readonly dumps: RegExp
}

export interface CodeLanguage {
  readonly prefix: 'python' | 'javascript'
  /** What stands in front of a name that nothing in the file gives anything to. */
  readonly outerName: string
  readonly scopes: ReadonlySet<string>
  readonly does: Doings
  /** One of these makes a warning of what cannot be parsed. */
  readonly matters: RegExp
  /** Without one of these an example names nothing that a rule is about. */
  readonly hints: RegExp
  readonly parse: (path: string, text: string) => Steps<ParsedCode>
  /** Reads what one node of the tree gives to names. */
  readonly collect: (syntax: Syntax, node: SyntaxNode, bind: Bind) => void
  /** A name as the language reads it. */
  readonly word: (text: string) => string
  /** One name for what has several. */
  readonly canonical: (path: string) => string
  /** What a call of a path gives, where that is known: imports, look-ups, copies. */
  readonly called: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
  ) => readonly string[] | null
  /** Whether a call asks for a shell. `off`: whether a value is false. */
  readonly asksForShell: (syntax: Syntax, given: Arguments, off: (value: SyntaxNode) => boolean) => boolean
  /** The rules about a call that the language has to itself. */
  readonly judge: (
    path: string,
    syntax: Syntax,
    call: SyntaxNode,
    resolve: Resolve,
    add: (rule: RuleId, seen: string) => void,
  ) => void
  /** Whether a socket and a process in one file are tied to each other. */
  readonly ties: (seen: TiesSeen) => boolean
}

interface TiesSeen {
  readonly text: string
  readonly paths: ReadonlySet<string>
  /** First arguments of what starts a program, as far as they are written out. */
  readonly programs: readonly string[]
}
