// The syntax tree of an awk program.

export type Binary = '+' | '-' | '*' | '/' | '%' | '^'
export type Comparison = '<' | '<=' | '==' | '!=' | '>' | '>='

export type Tree =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string }
  | { readonly kind: 'typed-regex'; readonly source: string }
  | Target
  | { readonly kind: 'binary'; readonly operator: Binary; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'concat'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'match'; readonly negated: boolean; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'not' | 'minus' | 'plus'; readonly of: Tree }
  | { readonly kind: 'condition'; readonly test: Tree; readonly yes: Tree; readonly no: Tree }
  | { readonly kind: 'assign'; readonly to: Target; readonly operator: Binary | ''; readonly value: Tree }
  | { readonly kind: 'step'; readonly to: Target; readonly by: 1 | -1; readonly before: boolean }
  | { readonly kind: 'in'; readonly subscripts: readonly Tree[]; readonly array: ArrayTree }
  | { readonly kind: 'group'; readonly list: readonly Tree[] }
  | { readonly kind: 'builtin'; readonly name: string; readonly args: readonly Tree[]; readonly line: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Tree[]
      readonly indirect: boolean
    }
  | {
      readonly kind: 'getline'
      readonly from: 'main' | 'file' | 'command'
      readonly source: Tree | null
      readonly into: Target | null
    }

/** Something that can be assigned to. */
export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly index: Tree }
  | ElementTree

interface ElementTree {
  readonly kind: 'element'
  readonly array: ArrayTree
  readonly subscripts: readonly Tree[]
}

/** An array: a variable, or an element that is itself an array. */
export type ArrayTree = { readonly kind: 'name'; readonly name: string } | ElementTree

export interface Redirection {
  readonly operator: '>' | '>>' | '|'
  readonly to: Tree
}

export type Statement =
  | { readonly kind: 'expression'; readonly of: Tree }
  | {
      readonly kind: 'print' | 'printf'
      readonly args: readonly Tree[]
      readonly redirection: Redirection | null
    }
  | { readonly kind: 'block'; readonly statements: readonly Statement[] }
  | { readonly kind: 'if'; readonly test: Tree; readonly yes: Statement; readonly no: Statement | null }
  | { readonly kind: 'while'; readonly test: Tree; readonly body: Statement }
  | { readonly kind: 'do'; readonly test: Tree; readonly body: Statement }
  | {
      readonly kind: 'for'
      readonly first: Statement | null
      readonly test: Tree | null
      readonly next: Statement | null
      readonly body: Statement
    }
  | {
      readonly kind: 'for-in'
      readonly name: string
      readonly array: ArrayTree
      readonly body: Statement
    }
  | { readonly kind: 'switch'; readonly of: Tree; readonly cases: readonly SwitchCase[] }
  | { readonly kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly kind: 'exit' | 'return'; readonly value: Tree | null }
  | { readonly kind: 'delete'; readonly array: ArrayTree; readonly subscripts: readonly Tree[] }

export interface SwitchCase {
  /** The value of the case; null for `default`. */
  readonly value: Tree | null
  readonly body: Statement
}

export interface FunctionTree {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Statement
}

export interface Rule {
  /** Null to match every record; two expressions form a range. */
  readonly pattern: readonly Tree[] | null
  /** Null to print the record. */
  readonly action: Statement | null
}

export interface Program {
  readonly begin: readonly Statement[]
  readonly end: readonly Statement[]
  readonly beginFile: readonly Statement[]
  readonly endFile: readonly Statement[]
  readonly rules: readonly Rule[]
  readonly functions: ReadonlyMap<string, FunctionTree>
}
