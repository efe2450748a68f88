// The syntax tree of arithmetic expressions.

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string; readonly subscript: string | null }
  | { readonly kind: 'unary'; readonly operator: '+' | '-' | '!' | '~'; readonly operand: Expression }
  | { readonly kind: 'step'; readonly by: 1n | -1n; readonly before: boolean; readonly target: Variable }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
      readonly rest: string
    }
  | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | {
      readonly kind: 'assign'
      readonly operator: string
      readonly target: Variable
      readonly value: Expression
      readonly rest: string
    }
export type Variable = Extract<Expression, { kind: 'name' }>

/** The message includes the token at which it failed, as bash prints it after the expression. */
export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError'
  /** The part that the message is about; null for the whole expression. */
  part: string | null
  constructor(message: string, token: string, part: string | null = null) {
    super(`${message} (error token is "${token}")`)
    this.part = part
  }
}
