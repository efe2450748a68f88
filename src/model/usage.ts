// Token counts as the API reports them, made safe to add and to charge.

import type { Usage } from '../agent/message.ts'
import type { Json } from './json.ts'
import { costOf, factsOf } from './prices.ts'

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

/**
 * Usage of one call. `start` comes with the first event, `last` with `message_delta`; the later numbers are totals
 * and replace the earlier ones. When input or output tokens are missing or no numbers, what is known is reported and
 * `cost_usd` is null: the caller's reservation then stands.
 */
export function usageOf(model: string, start: Json | null, last: Json | null): Usage {
  const field = (name: string): number | null => count(last?.[name]) ?? count(start?.[name])
  const input = field('input_tokens')
  const output = field('output_tokens')
  const tokens = {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cache_creation_input_tokens: field('cache_creation_input_tokens') ?? 0,
    cache_read_input_tokens: field('cache_read_input_tokens') ?? 0,
  }
  const complete = input !== null && output !== null
  return { ...tokens, cost_usd: complete ? costOf(factsOf(model), tokens) : null }
}
