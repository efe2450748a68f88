// `npm run tools -- list | put | get | …`: manages the tools and MCP servers that were added to a running Satchel.

import { fileURLToPath } from 'node:url'

import { DEFAULT_PORT } from './lib/limits.ts'
import { terminalAsker } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { runVerb } from './tools/verbs.ts'

const USAGE = `npm run tools -- VERB [options]

  list                 list the tools that were added; --all also lists built-in tools
  put FILE             publish the definition in a JSON file, or each definition in a list
  get NAME             show the definition and versions of a tool
  enable NAME          enable a tool
  disable NAME         disable a tool
  remove NAME          remove a tool from the catalog; its versions are kept
  rollback NAME        return to the previous version, or to --to-version DIGEST
  test NAME --input JSON   really call a tool once; show the request, the status and what the model would see
  import FILE          create tools from an OpenAPI 3 document (JSON or YAML)

  mcp list             list the MCP servers and their state
  mcp show NAME        show a server's tools, what is blocked and why, and its last error
  mcp add NAME URL     add a server, or the definition in a JSON FILE; show its tools and ask whether to approve them
  mcp refresh NAME     ask a server again; show what changed since the approval
  mcp approve NAME --digest DIGEST   approve what refresh showed
  mcp remove NAME      remove a server from the catalog
  mcp test NAME TOOL --input JSON   really call an approved tool once

  --trusted            mcp add: believe the server about the effects of its tools
  --secret NAME        test: send a secret with the request, from the variable of that name (repeatable)
  --operations A,B     import: only these operations, by operationId or "GET /path"
  --tags A,B           import: only operations with one of these tags
  --prefix TEXT        import: a prefix for each tool name
  --base URL           import: the server to use instead of the document's
  --header K=V         import, mcp add: a header for every request, such as 'Authorization=Bearer {{secrets.API}}' (repeatable)
  --group NAME         import, mcp add: the group of the tools
  --note TEXT          a note to store with the versions
  --dry-run            show what would change, and change nothing
  --yes                do not ask for confirmation; mcp add and refresh then approve nothing
  --json               print the server's response as JSON
  --url URL            the server (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K              an admin key; process lists show it, so prefer SATCHEL_KEY. The default for the server on this
                       machine is the ADMIN_KEY from the environment or .dev.vars
  --help               show this text

Exit status: 0 done; 1 refused, or the call failed; 2 wrong arguments, or no terminal for confirmation.`

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
      digest: { type: 'string' },
      trusted: { type: 'boolean', default: false },
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
      ask: flags.json ? null : terminalAsker(),
    })
  },
)
