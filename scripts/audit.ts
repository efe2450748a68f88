// `npm run audit`: prints what admins and publishers of a running Satchel did.

import { fileURLToPath } from 'node:url'

import { showActions, showFailedSignIns } from './audit/show.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run audit [-- options]

  --actor WHO          only actions of this user or key (its ID)
  --action NAME        only these actions: keys.rotate, or keys for all on keys
  --target NAME        only actions on this skill, key, hook and so on
  --from DAY, --to DAY UTC days, both included, such as 2026-12-01
  --limit N            how many, the newest first (default 20, at most 100)
  --changes            print before and after of each action
  --sign-ins           list failed sign-ins instead
  --json               print the server's response as JSON
${SERVER_HELP.split('\n').slice(2).join('\n')}

Exit status: 0 done; 1 refused; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { json, url, key } = SERVER_OPTIONS
const text = { type: 'string' } as const

command(
  USAGE,
  {
    options: {
      actor: text,
      action: text,
      target: text,
      from: text,
      to: text,
      limit: text,
      changes: { type: 'boolean', default: false },
      'sign-ins': { type: 'boolean', default: false },
      json,
      url,
      key,
    },
  },
  async ({ values: flags }) => {
    const { actor, action, target, from, to } = flags
    const filters = { actor, action, target, from, to }
    if (flags['sign-ins'] && Object.values(filters).some((value) => value !== undefined))
      return '--sign-ins takes no filters.'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const ports = { ...server.value, say: (line: string) => console.log(line), complain, ask: null }
    return flags['sign-ins'] ? showFailedSignIns(flags, ports) : showActions(filters, flags, ports)
  },
)
