// The amounts of a run's row, or of the sums over rows, as they are shown.

import { fromMicroUsd } from '../lib/money.ts'
import type { UsageSums } from './run-api.ts'
import type { Amounts } from './usage-days.ts'

export function amountsOf(row: Amounts): Pick<UsageSums, 'steps' | 'tool_calls' | 'usage' | 'charged'> {
  const { steps, tool_calls, cost_micro, charged_tokens, charged_micro, estimated } = row
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = row
  const cost_usd = cost_micro === null ? null : fromMicroUsd(cost_micro)
  return {
    steps,
    tool_calls,
    usage: { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd },
    charged: { tokens: charged_tokens, usd: fromMicroUsd(charged_micro), estimated: estimated === 1 },
  }
}
