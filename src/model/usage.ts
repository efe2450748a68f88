// Validates the token counts that the API reports for a call, so that they can be added up and charged.

import { MODEL_USAGE_MAX_TOKENS } from './limits.ts'
import { NO_TOKENS, type Tokens } from '../agent/message.ts'
import { asObject, type Json } from '../lib/json.ts'

// The keys are those of Tokens.
const TOKEN_FIELDS = Object.keys(NO_TOKENS) as readonly (keyof Tokens)[]

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MODEL_USAGE_MAX_TOKENS
}

export class UsageMeter {
  #reported: Partial<Tokens> = {}

  /**
   * Records a reported usage, whose numbers are totals and replace earlier ones. Returns false and forgets all earlier
   * numbers if a value is not a valid count.
   */
  process(usage: Json | null): boolean {
    const present = TOKEN_FIELDS.filter((name) => usage?.[name] !== undefined && usage[name] !== null)
    const searches = asObject(usage?.['server_tool_use'])?.['web_search_requests'] ?? 0
    const counts: (readonly [keyof Tokens, unknown])[] = present.map((name) => [name, usage?.[name]])
    if (searches !== 0) counts.push(['web_search_requests', searches])
    const isValid = counts.every(([, count]) => isCount(count))
    this.#reported = isValid ? { ...this.#reported, ...Object.fromEntries(counts) } : {}
    return isValid
  }

  /**
   * The usage of the call; null if input or output tokens are unknown or all numbers are zero. `lowerBound` contains the
   * output and the searches that were observed. It is used if the reported totals may be missing.
   */
  tokens(lowerBound: { readonly output: number; readonly searches: number } | null): Tokens | null {
    const { input_tokens, output_tokens, web_search_requests = 0 } = this.#reported
    const output = lowerBound === null ? output_tokens : Math.max(lowerBound.output, output_tokens ?? 0)
    const searches = Math.max(lowerBound?.searches ?? 0, web_search_requests)
    if (input_tokens === undefined || output === undefined) return null
    const tokens = {
      ...NO_TOKENS,
      ...this.#reported,
      output_tokens: output,
      ...(searches > 0 && { web_search_requests: searches }),
    }
    return Object.values(tokens).some((count) => count > 0) ? tokens : null
  }
}
