// Commands that run another one with a limit or setting: `timeout`, `nohup`, `nice`, `stdbuf`.

import { TIMER_MAX_MS } from '../../limits.ts'
import { TIMED_OUT, type Command, Unsupported, usage } from '../command.ts'
import { parseOptions } from '../options.ts'

/** For `nohup`, `nice` and `stdbuf`: runs the command unchanged, because it could not notice the difference here. */
function unchanged(
  name: string,
  options: readonly { readonly flags: string; readonly value?: 'required' }[],
  usageExit: number,
): Command {
  return {
    starts: true,
    async run(io) {
      const { operands } = parseOptions(name, io.args, options, { usageExit, operandsLast: true })
      if (operands.length === 0) throw usage(name, 'missing operand', usageExit)
      return io.exec(operands, { stdin: 'inherited' })
    },
  }
}

export const nohup = unchanged('nohup', [], 125)
const niceOf = unchanged('nice', [{ flags: '-n --adjustment', value: 'required' }], 125)
/** Without a command, `nice` prints a priority, which nothing has here. */
export const nice: Command = {
  ...niceOf,
  run: async (io) => {
    if (io.args.length === 0) throw new Unsupported('nice without a command', 'the script without it')
    return niceOf.run(io)
  },
}
export const stdbuf = unchanged(
  'stdbuf',
  [
    { flags: '-i --input', value: 'required' },
    { flags: '-o --output', value: 'required' },
    { flags: '-e --error', value: 'required' },
  ],
  125,
)
export const setsid = unchanged(
  'setsid',
  [{ flags: '-w --wait' }, { flags: '-f --fork' }, { flags: '-c --ctty' }],
  1,
)

const UNITS_MS: Readonly<Record<string, number>> = {
  '': 1_000,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

export const timeout: Command = {
  starts: true,
  async run(io) {
    const parsed = parseOptions(
      'timeout',
      io.args,
      [
        { flags: '--preserve-status' },
        { flags: '--foreground' },
        { flags: '-v --verbose', refused: 'timeout without it' },
        { flags: '-k --kill-after', value: 'required' },
        { flags: '-s --signal', value: 'required' },
      ],
      { usageExit: 125, operandsLast: true },
    )
    const [duration, ...command] = parsed.operands
    if (duration === undefined || command.length === 0) throw usage('timeout', 'missing operand', 125)
    const ms = durationMs(duration)
    if (ms === null) throw usage('timeout', `invalid time interval ‘${duration}’`, 125)
    const signal = parsed.value('-s')?.toUpperCase().replace(/^SIG/, '') ?? 'TERM'
    const killed = signal === 'KILL' || signal === '9'
    const status = await io.exec(command, {
      stdin: 'inherited',
      ...(ms > 0 && { timeoutMs: Math.min(ms, TIMER_MAX_MS) }),
    })
    if (status !== TIMED_OUT) return status
    if (killed) return 137
    return parsed.has('--preserve-status') ? 143 : 124
  },
}

/** Converts a duration such as `1.5m` to milliseconds; null if it is invalid. */
export function durationMs(text: string): number | null {
  const [, number, unit = ''] = /^(\d+\.?\d*|\.\d+|inf(?:inity)?)([smhd]?)$/i.exec(text) ?? []
  if (number === undefined) return null
  return (/^inf/i.test(number) ? Infinity : Number(number)) * (UNITS_MS[unit] ?? 1_000)
}
