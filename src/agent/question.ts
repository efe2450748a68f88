// A question from the model to the person. Plain data.

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
  /** The choices to offer. If empty, the person writes an answer. */
  readonly options: readonly string[]
}
