// The flags that `npm run hooks` and `npm run schedules` share, and their help.

import { DEFAULT_PORT } from '../lib/limits.ts'

export const RUN_OPTIONS = {
  user: { type: 'string' },
  load: { type: 'string' },
  skills: { type: 'string' },
  tools: { type: 'string' },
  model: { type: 'string' },
  usd: { type: 'string' },
  fields: { type: 'string' },
} as const

export const SERVER_OPTIONS = {
  yes: { type: 'boolean', short: 'y', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
} as const

export const RUN_HELP = `\
  --user USER          the owner of its threads (default: only admins see them)
  --load SKILL         skills that each run loads first, separated by commas; or begin the message with /SKILL
  --skills A,B         the only skills that its threads see
  --tools A,B          the only tools that its threads have
  --model MODEL        the model of its runs
  --usd N              the most that a run may cost, in dollars`

export const SERVER_HELP = `\
  --yes                do not ask for confirmation
  --json               print the server's response as JSON
  --url URL            the server (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K              an admin key; process lists show it, so prefer SATCHEL_KEY. The default for the server on this
                       machine is the ADMIN_KEY from the environment or .dev.vars
  --help               show this text`
