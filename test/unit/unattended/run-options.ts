// What a run gets if its hook or schedule sets nothing, for the tests of both.
import {
  RUN_RECOVERIES_DEFAULT,
  RUN_STEPS_DEFAULT,
  RUN_TOKENS_DEFAULT,
  RUN_TOOL_CALLS_DEFAULT,
  RUN_USD_DEFAULT,
  RUN_WALL_DEFAULT_S,
} from '../../../src/limits/runs.ts'
import type { RunOptions } from '../../../src/unattended/options.ts'

export const RUN_OPTIONS: RunOptions = {
  user: null,
  skills: { allow: null, load: [] },
  tools: null,
  model: null,
  budget: {
    tokens: RUN_TOKENS_DEFAULT,
    usd: RUN_USD_DEFAULT,
    steps: RUN_STEPS_DEFAULT,
    tool_calls: RUN_TOOL_CALLS_DEFAULT,
    wall_s: RUN_WALL_DEFAULT_S,
    recoveries: RUN_RECOVERIES_DEFAULT,
  },
  allowed_calls: [],
  callback: null,
}
