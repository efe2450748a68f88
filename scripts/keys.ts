// `npm run keys -- create | list | change | …`: manages the keys of a running Satchel.

import { fileURLToPath } from 'node:url'

import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runKeyVerb } from './keys/verbs.ts'
import { SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run keys -- VERB [options]

  create chat          create a key with this role (chat, publisher, admin or metrics), and print it once
  list                 list the keys; --state active, expired or revoked
  change KEY           update the given options, keep the rest
  rotate KEY           replace the secret and print the new key; the old one stays valid for a while,
                       an older one stops at once
  revoke KEY           revoke it

KEY is the ID of a key, not the key itself.

  --user USER          create: the user who owns its threads, which outlive the key
  --note TEXT          what it is for
  --days N             expires in N days (change: "never" removes the expiry)
  --models A,B         the only models that it may use; change: --models all
  --allow A,B          the only tools or groups that its runs may call; change: --allow all
  --deny A,B           tools or groups that its runs must not call; change: --deny none
  --caps LIST          what its runs may use in a UTC day or month: day.usd=5,month.tokens=1000000,day.runs=100;
                       "default" for the caps of keys without their own (npm run limits)
  --max-budget LIST    the most that one of its runs may use: usd=1,steps=20; "default" for that of its role
  --overlap HOURS      rotate: how long the old secret stays valid (default 24)
${SERVER_HELP}

Exit status: 0 done; 1 refused; 2 wrong arguments, or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      user: { type: 'string' },
      note: { type: 'string' },
      days: { type: 'string' },
      models: { type: 'string' },
      allow: { type: 'string' },
      deny: { type: 'string' },
      caps: { type: 'string' },
      'max-budget': { type: 'string' },
      overlap: { type: 'string' },
      state: { type: 'string' },
      ...SERVER_OPTIONS,
    },
  },
  async ({ values: flags, positionals }) => {
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    return runKeyVerb(positionals, flags, Date.now(), {
      ...server.value,
      say: (line) => console.log(line),
      complain,
      ask: flags.json ? null : terminalAsker(),
    })
  },
)
