// `yes`: prints the same line until its reader stops.

import type { Command } from '../command.ts'

/** Number of characters written at once. */
const BATCH = 8_192

export const yes: Command = {
  async run(io) {
    const args = io.args[0] === '--' ? io.args.slice(1) : io.args
    const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`
    const batch = line.repeat(Math.max(1, Math.floor(BATCH / line.length)))
    for (;;) await io.stdout.write(batch)
  },
}
