// `npm run schedules -- create | list | show | …`: manages the schedules of a running Satchel.

import { fileURLToPath } from 'node:url'

import { DEFAULT_PORT } from './lib/limits.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runScheduleVerb } from './schedules/verbs.ts'

const USAGE = `npm run schedules -- VERB [options]

  create NAME          create a schedule; takes --message or --file, and --cron or --at
  list                 list the schedules with their next times
  show SCHEDULE        show a schedule and its newest runs
  next SCHEDULE        show its next five times
  run SCHEDULE         start a run now, for example to try it
  pause SCHEDULE       start no runs until it is resumed
  resume SCHEDULE      continue with the next time
  delete SCHEDULE      delete it; its threads are kept

SCHEDULE is a name or an ID.

  --cron 'M H D M W'   minute, hour, day of month, month, day of week: '0 8 * * 1' is every Monday at 8:00
  --at TIME            a single time, such as 2026-12-01T08:00
  --zone ZONE          the time zone of both (default: this machine's, ${zoneOfThisMachine()})
  --message TEXT       what the agent should do; {{date}}, {{time}} and {{weekday}} stand for the planned time
  --file FILE          the message, from a file
  --missed skip        do not run a time late that was missed (default: the newest one runs once)
  --one-thread         all runs in one thread (default: a thread each)
  --user USER          the owner of its threads (default: only admins see them)
  --load SKILL         skills that each run loads first, separated by commas; or begin the message with /SKILL
  --skills A,B         the only skills that its threads see
  --tools A,B          the only tools that its threads have
  --model MODEL        the model of its runs
  --usd N              the most that a run may cost, in dollars
  --fields FILE        other fields from a JSON file: allowed_calls, callback, budget, …
  --yes                do not ask for confirmation
  --json               print the server's response as JSON
  --url URL            the server (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K              an admin key; process lists show it, so prefer SATCHEL_KEY. The default for the server on this
                       machine is the ADMIN_KEY from the environment or .dev.vars
  --help               show this text

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
      zone: { type: 'string', default: zoneOfThisMachine() },
      message: { type: 'string' },
      file: { type: 'string' },
      missed: { type: 'string' },
      'one-thread': { type: 'boolean', default: false },
      user: { type: 'string' },
      load: { type: 'string' },
      skills: { type: 'string' },
      tools: { type: 'string' },
      model: { type: 'string' },
      usd: { type: 'string' },
      fields: { type: 'string' },
      yes: { type: 'boolean', short: 'y', default: false },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
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
    })
  },
)
