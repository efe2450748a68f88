// `npm run limits`: shows and changes the limits of runs of a running Satchel, and shows earlier changes.

import { fileURLToPath } from 'node:url'

import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { showHistory } from './limits/history.ts'
import { setLimits, showLimits } from './limits/verbs.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run limits [-- LIMIT=AMOUNT ...] [options]

Without arguments, prints the limits. Otherwise changes those that are given; the amount "none" removes one:

  workspace.day.usd=50       all runs of a UTC day together; also month, and tokens or runs instead of usd
  key.day.usd=5              each key without caps of its own (npm run keys)
  user.month.usd=100         each user who is not in users
  users.USER.day.usd=20      one user
  hook.day.runs=500          each hook and schedule without caps of its own
  hooks.ID.day.usd=10        one of them
  thread.usd=10              each thread over its lifetime; also tokens
  max_budget.chat.usd=1      the most that one run of a chat key may use; also publisher, admin or hook, and any
                             limit of a run, such as steps

  --history                  print the newest changes: version, time (UTC), who, and what was changed
  --limit N                  how many of them (default 20, at most 100)
${SERVER_HELP.split('\n').slice(1).join('\n')}

Exit status: 0 done; 1 refused; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { json, url, key } = SERVER_OPTIONS

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      history: { type: 'boolean', default: false },
      limit: { type: 'string' },
      json,
      url,
      key,
    },
  },
  async ({ values: flags, positionals }) => {
    if (flags.history && positionals.length > 0) return '--history changes no limits.'
    if (flags.limit !== undefined && !flags.history) return '--limit belongs to --history.'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const ports = { ...server.value, say: (line: string) => console.log(line), complain, ask: null }
    if (flags.history) return showHistory(flags, ports)
    return positionals.length === 0 ? showLimits(flags, ports) : setLimits(positionals, flags, ports)
  },
)
