// `npm run hooks -- create | list | log | …`: manages and tests the webhooks of a running Satchel.

import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { terminalAsker, terminalSecretReader } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runHookVerb } from './hooks/verbs.ts'
import { RUN_HELP, RUN_OPTIONS, SERVER_HELP, SERVER_OPTIONS } from './unattended/options.ts'

const USAGE = `npm run hooks -- VERB [options]

  create NAME          create a hook; show its URL, its secret (only now), and what to enter at the sender
  list                 list the hooks
  show HOOK            show a hook and its newest deliveries
  log HOOK             list deliveries with what became of them; --state, --reply, --id and --text search
  log HOOK DELIVERY    show a delivery with its headers and body
  replay HOOK DELIVERY start another run for a delivery
  reply HOOK DELIVERY  send a reply again that failed or whose outcome is unknown
  test HOOK            deliver a payload that the server signs; with --dry-run only show what would become of it
  send [HOOK]          sign a payload here and send it as the sender would; needs the secret
  rotate HOOK          replace the secret; the URL stays
  change HOOK          change what the options say, and keep the rest; --name renames it
  delete HOOK          delete the hook and its log; its threads are kept

HOOK is a name or an ID. send needs none if there is only one hook (with --scheme: one hook of that scheme).

  --scheme S           create: standard (default), github, gitlab, slack, stripe, linear, pagerduty, hmac, bearer, basic
  --template TEXT      create, change: the message, such as 'A new issue: {{issue.title}}' (default: the whole payload)
  --file FILE          create, change: the template, from a file; test and send: the payload
  --thread T           create, change: each (default), one, or a template: all deliveries for which it is equal share a thread
  --on-busy latest     create, change: of deliveries that wait for their thread, only the newest runs (default: enqueue)
  --name NAME          change: the new name
${RUN_HELP}
  --fields FILE        create, change: other fields from a JSON file: filter, reply, callback, allowed_calls, signature, …
  --secret S           create, rotate: the secret that the sender chose; send: the hook's (default: HOOK_SECRET).
                       Process lists show it; with --secret - the command asks for it, or reads standard input
  --overlap SECONDS    rotate: how long the previous secret stays valid (default: a day)
  --header 'N: V'      test, send: a header, such as 'X-GitHub-Event: issues' (repeatable)
  --dry-run            test: record nothing and start no run
  --id ID              log: any ID of a delivery, sender, thread or run; send: the delivery's (default: a new one)
  --state STATE        log: recorded, started, dead, filtered, superseded, mismatch or paused
  --reply STATE        log: sent, failed or unknown
  --text TEXT          log: a text in the body, an ID or the reason
  --limit N            log: how many deliveries to list (default: 20)
${SERVER_HELP}

Exit status: 0 done; 1 refused; 2 wrong arguments, or no terminal for confirmation.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      scheme: { type: 'string' },
      template: { type: 'string' },
      file: { type: 'string' },
      thread: { type: 'string' },
      'on-busy': { type: 'string' },
      name: { type: 'string' },
      secret: { type: 'string' },
      overlap: { type: 'string' },
      header: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      id: { type: 'string' },
      state: { type: 'string' },
      reply: { type: 'string' },
      text: { type: 'string' },
      limit: { type: 'string', default: '20' },
      ...RUN_OPTIONS,
      ...SERVER_OPTIONS,
    },
  },
  async ({ values: flags, positionals }) => {
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    return runHookVerb(positionals, flags, {
      ...server.value,
      say: (line) => console.log(line),
      complain,
      ask: flags.json ? null : terminalAsker(),
      askSecret: terminalSecretReader() ?? (async () => text(process.stdin)),
      environmentSecret: process.env['HOOK_SECRET'],
      fetch,
      now: Date.now,
    })
  },
)
