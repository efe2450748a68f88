// `sleep`: pauses for a duration.

import { TIMER_MAX_MS } from '../../limits.ts'
import { type Command, usage } from '../command.ts'
import { parseOptions } from '../options.ts'
import { durationMs } from './run-with.ts'

export const sleep: Command = {
  async run(io) {
    const { operands } = parseOptions('sleep', io.args, [])
    if (operands.length === 0) throw usage('sleep', 'missing operand')
    let ms = 0
    for (const text of operands) {
      const part = durationMs(text)
      if (part === null) throw usage('sleep', `invalid time interval ‘${text}’`)
      ms += part
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, TIMER_MAX_MS)))
    return 0
  },
}
