// Token counts as the API reports them, made safe to add and to charge.

import { MODEL_USAGE_MAX_TOKENS } from '../limits.ts'
import type { Tokens } from '../agent/message.ts'
import type { Json } from './json.ts'

const FIELDS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MODEL_USAGE_MAX_TOKENS
}

/** What a usage says of tokens, and nothing else of it: what is added to what came before stays as short as that. */
export function usageFields(usage: Json | null): Json {
  const said: Record<string, unknown> = {}
  for (const name of FIELDS) if (usage?.[name] !== undefined) said[name] = usage[name]
  return said
}

/** False for a usage that counts in anything but tokens: what it says can neither be charged nor left uncharged. */
export function isUsage(usage: Json): boolean {
  return FIELDS.every((name) => usage[name] === undefined || usage[name] === null || isCount(usage[name]))
}

/**
 * Tokens of one call. `start` comes with the first event, `last` with `message_delta`; the later numbers are totals
 * and replace the earlier ones. `output`: what to count where nothing is said of it. Null when input or output tokens
 * are not known, or all are none: then nothing was measured.
 */
export function tokensOf(start: Json | null, last: Json | null, output: number | null): Tokens | null {
  const field = (name: (typeof FIELDS)[number]): number | null =>
    [last?.[name], start?.[name]].find(isCount) ?? null
  const said = { input: field('input_tokens'), output: output ?? field('output_tokens') }
  if (said.input === null || said.output === null) return null
  const tokens = {
    input_tokens: said.input,
    output_tokens: said.output,
    cache_creation_input_tokens: field('cache_creation_input_tokens') ?? 0,
    cache_read_input_tokens: field('cache_read_input_tokens') ?? 0,
  }
  return Object.values(tokens).some((count) => count > 0) ? tokens : null
}
