// `npm run usage`: prints what the runs of a running Satchel used and cost.

import { fileURLToPath } from 'node:url'

import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'
import { showRuns, showUsage } from './usage/show.ts'

const USAGE = `npm run usage [-- GROUPING] [options]

  GROUPING             day (default), key, user, model, skill or hook, or two of them: day,key
  --from DAY, --to DAY UTC days, inclusive, such as 2026-12-01 (default: 30 days up to --to or today)
  --runs               list the newest runs instead
  --limit N            with --runs: how many (default 20, at most 100)
  --json               print the server's response as JSON
${SERVER_HELP.split('\n').slice(2).join('\n')}

A run with several skills counts in full for each. Exit status: 0 done; 1 refused; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { json, url, key } = SERVER_OPTIONS

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      runs: { type: 'boolean', default: false },
      limit: { type: 'string' },
      json,
      url,
      key,
    },
  },
  async ({ values: flags, positionals: [by, ...extra] }) => {
    if (extra.length > 0) return 'Separate groupings with a comma only, such as day,key.'
    if (flags.runs && by !== undefined) return '--runs cannot be grouped.'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const ports = { ...server.value, say: (line: string) => console.log(line), complain, ask: null }
    return flags.runs ? showRuns(flags, ports) : showUsage(by ?? 'day', flags, Date.now(), ports)
  },
)
