// `npm run tools -- list | put | get | …`: tools from settings of a running Satchel.

import { fileURLToPath } from 'node:url'

import { START_PORT } from './lib/limits.ts'
import { terminalAsk } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runVerb } from './tools/verbs.ts'

const USAGE = `npm run tools -- VERB [options]

  list                 tools from settings; --all: what the agent may call, built-in ones too
  put FILE             make the definition in a JSON file live, or each of a list of them
  get NAME             its definition and its versions
  enable NAME, disable NAME
  remove NAME          take it out of the catalog; its versions stay
  rollback NAME        to the version before, or --to-version DIGEST
  test NAME --input JSON   call it once, really: the request, the status, what the model would see
  import FILE          tools out of an OpenAPI 3 document (JSON or YAML)

  --secret NAME        test: a secret that a request brings, out of the variable of that name (repeatable)
  --operations A,B     import: only these, by operationId or "GET /path"
  --tags A,B           import: only operations with one of these tags
  --prefix TEXT        import: put before each name
  --base URL           import: where requests go instead of to the document's server
  --header K=V         import: sent with every request, such as 'Authorization=Bearer {{secrets.API}}' (repeatable)
  --group NAME         import: the group that they are in
  --note TEXT          kept with the versions
  --dry-run            show what would change, change nothing
  --yes                do not ask
  --json               the server's answer as JSON
  --url URL            the server (else SATCHEL_URL, else http://127.0.0.1:${START_PORT} or PORT's)
  --key K              an admin's key, which lists of processes show then: rather set SATCHEL_KEY. Without either it is,
                       for the server of this machine, the ADMIN_KEY of the environment or .dev.vars
  --help               this text

Status 0: done. 1: refused, or the call failed. 2: wrong arguments, or nobody to ask.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      input: { type: 'string' },
      secret: { type: 'string', multiple: true },
      operations: { type: 'string' },
      tags: { type: 'string' },
      prefix: { type: 'string' },
      base: { type: 'string' },
      header: { type: 'string', multiple: true, default: [] },
      group: { type: 'string' },
      'to-version': { type: 'string' },
      note: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', short: 'y', default: false },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
    },
  },
  async ({ values: flags, positionals }) => {
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    return runVerb(positionals, flags, {
      ...server.value,
      say: (line) => console.log(line),
      complain,
      ask: flags.json ? null : terminalAsk(),
    })
  },
)
