// The syntax tree of a `bc` program.

/** A syntax error. The message says where it is. */
export class BcSyntax extends Error {
  override readonly name = 'BcSyntax'
}

/** Something that can be assigned to. */
export type Location =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly index: Expression }
  | { readonly kind: 'setting'; readonly name: 'ibase' | 'obase' | 'scale' | 'last' }

export type Argument = Expression | { readonly kind: 'array'; readonly name: string }

export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'location'; readonly location: Location }
  | {
      readonly kind: 'assign'
      readonly location: Location
      readonly operator: string
      readonly value: Expression
    }
  | { readonly kind: 'step'; readonly location: Location; readonly by: 1 | -1; readonly before: boolean }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'negative'; readonly value: Expression }
  | { readonly kind: 'not'; readonly value: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Argument[] }
  | { readonly kind: 'built-in'; readonly name: 'length' | 'sqrt' | 'scale'; readonly value: Expression }
  /** A parenthesized expression, whose value is printed even if it is an assignment. */
  | { readonly kind: 'group'; readonly value: Expression }

export type Statement =
  | { readonly kind: 'expression'; readonly value: Expression }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly items: readonly (Expression | string)[] }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | {
      readonly kind: 'if'
      readonly test: Expression
      readonly body: Statement
      readonly otherwise: Statement | null
    }
  | { readonly kind: 'while'; readonly test: Expression; readonly body: Statement }
  | {
      readonly kind: 'for'
      readonly start: Expression | null
      readonly test: Expression | null
      readonly step: Expression | null
      readonly body: Statement
    }
  | { readonly kind: 'break' | 'continue' | 'halt' | 'quit' }
  | { readonly kind: 'return'; readonly value: Expression | null }

export interface Parameter {
  readonly name: string
  readonly isArray: boolean
}

export interface BcFunction {
  readonly name: string
  readonly isVoid: boolean
  readonly parameters: readonly Parameter[]
  readonly locals: readonly Parameter[]
  readonly body: readonly Statement[]
}

/** The unit that bc runs: a function definition, or the statements of a line. `quits`: the program ends before it. */
export type Unit = BcFunction | { readonly statements: readonly Statement[] } | { readonly quits: true }
