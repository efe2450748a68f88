// Token counts of one call as reported by the API, made safe to add and to charge.

import { MODEL_USAGE_MAX_TOKENS } from './limits.ts'
import { NO_TOKENS, type Tokens } from '../agent/message.ts'
import { asObject, type Json } from '../lib/json.ts'

// The keys are those of Tokens.
const FIELDS = Object.keys(NO_TOKENS) as readonly (keyof Tokens)[]

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MODEL_USAGE_MAX_TOKENS
}

export class UsageMeter {
  #reported: Partial<Tokens> = {}

  /** Takes a usage; its numbers are totals and replace earlier ones. False: a value is not a token count, and none counts now. */
  take(usage: Json | null): boolean {
    const present = FIELDS.filter((name) => usage?.[name] !== undefined && usage[name] !== null)
    const searches = asObject(usage?.['server_tool_use'])?.['web_search_requests'] ?? 0
    const counts: (readonly [keyof Tokens, unknown])[] = present.map((name) => [name, usage?.[name]])
    if (searches !== 0) counts.push(['web_search_requests', searches])
    const sound = counts.every(([, count]) => isCount(count))
    this.#reported = sound ? { ...this.#reported, ...Object.fromEntries(counts) } : {}
    return sound
  }

  /**
   * `least`: output and searches observed, a lower bound if the totals are unknown. Null if input or output tokens are unknown,
   * or all are zero: nothing was measured.
   */
  tokens(least: { readonly output: number; readonly searches: number } | null): Tokens | null {
    const { input_tokens, output_tokens, web_search_requests = 0 } = this.#reported
    const output = least === null ? output_tokens : Math.max(least.output, output_tokens ?? 0)
    const searches = Math.max(least?.searches ?? 0, web_search_requests)
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
