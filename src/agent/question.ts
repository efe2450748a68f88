// A question that the model asks the person. Plain data.

export const QUESTION_KINDS = [
  'missing_info',
  'ambiguous_requirement',
  'approach_choice',
  'risk_confirmation',
  'suggestion',
] as const

export interface Question {
  readonly kind: (typeof QUESTION_KINDS)[number]
  readonly question: string
  readonly context: string | null
  /** What the person may choose; empty: they write. */
  readonly options: readonly string[]
}
