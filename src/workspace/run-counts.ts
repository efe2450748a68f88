// What runs that have ended add to the counters of the metrics. Pure, except for the names of models that have counters.

import { CountedSeries, type Counts } from '../lib/counted-series.ts'
import { FIRST_TEXT_BUCKETS_MS, METRIC_MODELS_MAX, STEPS_BUCKETS } from './limits.ts'

/** The columns of a run's row that are counted. */
export type CountedRun = {
  readonly model: string
  readonly status: string
  readonly stop_reason: string | null
  readonly accepted_at: number
  readonly first_text_at: number | null
  readonly steps: number
  readonly recoveries: number
  readonly interrupted_waits: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  readonly charged_micro: number
}

/** The models that have counters of their own. */
export function countedModels(sql: SqlStorage): Set<string> {
  const rows = sql
    .exec<{ model: string }>(
      'SELECT series ->> 1 AS model FROM metrics WHERE series LIKE \'["model_runs",%\'',
    )
    .toArray()
  return new Set(rows.map(({ model }) => model))
}

/** Models after the first METRIC_MODELS_MAX are counted together. `models` are those before, and is extended. */
export function runCountsOf(runs: readonly CountedRun[], models: Set<string>): Counts {
  const counted = new CountedSeries()
  const add = (value: number, ...series: readonly string[]): void => {
    if (value > 0) counted.add(value, ...series)
  }
  for (const run of runs) {
    if (models.size < METRIC_MODELS_MAX) models.add(run.model)
    const model = models.has(run.model) ? run.model : 'other'
    add(1, 'runs', run.status, run.stop_reason ?? '')
    add(1, 'model_runs', model, run.status)
    add(run.input_tokens, 'tokens', model, 'input')
    add(run.output_tokens, 'tokens', model, 'output')
    add(run.cache_creation_input_tokens, 'tokens', model, 'cache_write')
    add(run.cache_read_input_tokens, 'tokens', model, 'cache_read')
    add(run.charged_micro, 'charged', model)
    add(run.recoveries, 'recoveries', 'working')
    add(run.interrupted_waits, 'recoveries', 'waiting')
    add(1, 'steps', bucketOf(run.steps, STEPS_BUCKETS))
    add(run.steps, 'steps', 'sum')
    if (run.first_text_at === null) continue
    const tookMs = Math.max(0, run.first_text_at - run.accepted_at)
    add(1, 'first_text', bucketOf(tookMs, FIRST_TEXT_BUCKETS_MS))
    add(tookMs, 'first_text', 'sum')
  }
  return counted.take()
}

/** The smallest bound that is not below the value. */
function bucketOf(value: number, bounds: readonly number[]): string {
  return String(bounds.find((bound) => value <= bound) ?? 'more')
}
