// `npm run schedules -- create | list | show | …`: manages the schedules of a running Satchel.

import { fileURLToPath } from 'node:url'

import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runScheduleVerb } from './schedules/verbs.ts'
import { RUN_HELP, RUN_OPTIONS, SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run schedules -- VERB [options]

  create NAME          create a schedule; takes --message or --file, and --cron or --at
  list                 list the schedules with their next times
  show SCHEDULE        show a schedule and its newest runs
  next SCHEDULE        show its next five times
  run SCHEDULE         start a run now, for example to try it
  pause SCHEDULE       start no runs until it is resumed
  resume SCHEDULE      continue with the next time
  change SCHEDULE      change what the options say, and keep the rest; --name renames it
  delete SCHEDULE      delete it; its threads are kept

SCHEDULE is a name or an ID.

  --cron 'M H D M W'   minute, hour, day of month, month, day of week: '0 8 * * 1' is every Monday at 8:00
  --at TIME            a single time, such as 2026-12-01T08:00
  --time-zone ZONE     the time zone of both (create's default: this machine's, ${zoneOfThisMachine()})
  --message TEXT       what the agent should do; {{date}}, {{time}} and {{weekday}} stand for the planned time
  --file FILE          the message, from a file
  --missed skip        do not run a time late that was missed (default: the newest one runs once)
  --thread one         all runs in one thread (default: each)
  --name NAME          change: the new name
${RUN_HELP}
  --fields FILE        other fields from a JSON file: allowed_calls, callback, budget, …
${SERVER_HELP}

Exit status: 0 done; 1 refused; 2 wrong arguments, or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function zoneOfThisMachine(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      cron: { type: 'string' },
      at: { type: 'string' },
      'time-zone': { type: 'string' },
      message: { type: 'string' },
      file: { type: 'string' },
      missed: { type: 'string' },
      thread: { type: 'string' },
      name: { type: 'string' },
      ...RUN_OPTIONS,
      ...SERVER_OPTIONS,
    },
  },
  async ({ values: flags, positionals }) => {
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    return runScheduleVerb(positionals, flags, {
      ...server.value,
      say: (line) => console.log(line),
      complain,
      ask: flags.json ? null : terminalAsker(),
      timeZone: zoneOfThisMachine(),
    })
  },
)
