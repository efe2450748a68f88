// Implements `npm run tools -- mcp`: adds MCP servers, shows what they offer, and approves it.

import {
  mcpServerPath,
  type McpChange,
  type McpOffered,
  type McpServerDetail,
  type McpServerRow,
  type McpTest,
} from '../../src/client/mcp.ts'
import { serverState } from '../../src/client/tool-groups.ts'
import { counted } from '../../src/lib/counted.ts'
import { isYes } from '../lib/ask.ts'
import { dimHeadTable } from '../lib/columns.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import { serverFindingLines } from './server-findings.ts'
import { readTextFile, type ToolFlags } from './input.ts'
import { mcpOfferLines } from './offer-lines.ts'
import { allPages, askToGoOn, responseBody, type ToolPorts } from './ports.ts'

/** The width of output that is not a terminal. */
const DEFAULT_COLUMNS = 80

type Verb = (args: readonly string[], flags: ToolFlags, ports: ToolPorts) => Promise<number | string>

const VERBS: Readonly<Record<string, Verb>> = { add, list, show, refresh, approve, remove, test }

/** Returns the exit status, or a message if the arguments are wrong. */
export async function runMcp(
  [verb, ...args]: readonly string[],
  flags: ToolFlags,
  ports: ToolPorts,
): Promise<number | string> {
  const run = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  return run
    ? run(args, flags, ports)
    : 'Specify what to do: mcp add, list, show, refresh, approve, remove or test. See npm run tools -- --help.'
}

async function add(args: readonly string[], flags: ToolFlags, ports: ToolPorts): Promise<number | string> {
  const [name, source] = args
  if (name === undefined || source === undefined || args.length > 2)
    return 'mcp add takes a NAME and a URL or a FILE.'
  const definition = /^https?:/.test(source) ? fromFlags(source, flags) : await fromFile(source, ports)
  if (typeof definition === 'string') return definition
  if (definition === null) return 1
  const note = flags.note === undefined ? '' : `?note=${encodeURIComponent(flags.note)}`
  const done = await responseBody<McpChange>(ports, 'PUT', `${mcpServerPath(name)}${note}`, definition)
  if (done === null) return 1
  if (!flags.json)
    ports.say(`${paint('bold', harmlessLine(name))} is in the catalog (version ${done.catalog_version}).`)
  return review(name, flags, ports)
}

function fromFlags(url: string, { header, group, trusted }: ToolFlags): object | string {
  const headers: Record<string, string> = {}
  for (const one of header) {
    const [key = '', ...value] = one.split('=')
    if (key === '' || value.length === 0) return `--header ${harmlessLine(one)} is not like NAME=VALUE.`
    headers[key] = value.join('=')
  }
  return { url, headers, ...(group === undefined ? {} : { group }), ...(trusted ? { trusted } : {}) }
}

async function fromFile(file: string, ports: ToolPorts): Promise<object | null> {
  const text = await readTextFile(file)
  if (text.ok) {
    try {
      return Object(JSON.parse(text.value))
    } catch (error) {
      ports.complain(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  } else ports.complain(text.error)
  return null
}

async function list(args: readonly string[], flags: ToolFlags, ports: ToolPorts): Promise<number | string> {
  if (args.length > 0) return 'mcp list takes no argument.'
  const servers = await allPages<McpServerRow>(ports, '/admin/mcp')
  if (servers === null) return 1
  if (flags.json) ports.say(JSON.stringify(servers, null, 2))
  else if (servers.length === 0)
    ports.say('There are no MCP servers. To add one, run npm run tools -- mcp add NAME URL')
  else {
    const rows = servers.map((row) =>
      [
        row.name,
        row.url,
        row.group ?? '',
        String(row.tools),
        stateText(row),
        row.last_seen_at ?? 'never',
      ].map(harmlessLine),
    )
    const titles = ['name', 'address', 'group', 'tools', 'state', 'last seen']
    for (const line of dimHeadTable(titles, rows)) ports.say(line)
  }
  return 0
}

function stateText(row: McpServerRow): string {
  return serverState(row)?.text ?? row.state
}

async function show(args: readonly string[], flags: ToolFlags, ports: ToolPorts): Promise<number | string> {
  const [name] = args
  if (name === undefined || args.length > 1) return 'mcp show takes exactly one NAME.'
  const server = await responseBody<McpServerDetail>(ports, 'GET', mcpServerPath(name))
  if (server === null) return 1
  if (flags.json) ports.say(JSON.stringify(server, null, 2))
  else for (const line of detailLines(server)) ports.say(line)
  return 0
}

function* detailLines(server: McpServerDetail): Generator<string> {
  const { name, url, problem, last_seen_at, last_error } = server
  yield `${paint('bold', harmlessLine(name))} at ${harmlessLine(url)}: ${stateText(server)}`
  if (problem !== null) yield harmlessLine(problem)
  yield `last seen: ${last_seen_at ?? 'never'}`
  if (last_error) yield `last error: ${last_error.at} ${harmlessLine(last_error.detail)}`
  const blocked = new Set(server.blocked_tools.map((tool) => tool.name))
  for (const { name: tool, effect } of server.approved_tools)
    if (!blocked.has(tool)) yield `  ${harmlessLine(tool)} (${effect})`
  yield* serverFindingLines(server, '')
}

/** Asks the server and shows what it offers. */
async function offerOf(name: string, { json }: ToolFlags, ports: ToolPorts): Promise<McpOffered | null> {
  const offer = await responseBody<McpOffered>(ports, 'POST', `${mcpServerPath(name)}/refresh`)
  if (offer === null) return null
  if (json) ports.say(JSON.stringify(offer, null, 2))
  else for (const line of mcpOfferLines(offer, process.stdout.columns || DEFAULT_COLUMNS)) ports.say(line)
  return offer
}

async function refresh(
  args: readonly string[],
  flags: ToolFlags,
  ports: ToolPorts,
): Promise<number | string> {
  const [name] = args
  if (name === undefined || args.length > 1) return 'mcp refresh takes exactly one NAME.'
  return review(name, flags, ports)
}

/** Shows what a server offers; if that is not approved, asks or prints the command that approves it. */
async function review(name: string, flags: ToolFlags, ports: ToolPorts): Promise<number> {
  const offer = await offerOf(name, flags, ports)
  if (offer === null) return 1
  // The JSON contains both digests, and nothing may follow it.
  if (flags.json) return 0
  if (offer.digest === offer.approved) {
    ports.say('All of this is approved.')
    return 0
  }
  const question = `Approve ${counted(offer.tools.length, 'tool')}? Models will read the text above. [y/N] `
  if (ports.ask && isYes(await ports.ask(question))) return approveDigest(name, offer.digest, ports)
  ports.say(
    `Nothing was approved. To approve exactly this: npm run tools -- mcp approve ${name} --digest ${offer.digest}`,
  )
  return 0
}

async function approve(
  args: readonly string[],
  flags: ToolFlags,
  ports: ToolPorts,
): Promise<number | string> {
  const [name] = args
  if (name === undefined || args.length > 1) return 'mcp approve takes exactly one NAME.'
  if (flags.digest === undefined)
    return 'mcp approve needs --digest, which mcp refresh prints after what it shows.'
  return approveDigest(name, flags.digest, ports)
}

async function approveDigest(name: string, digest: string, ports: ToolPorts): Promise<number> {
  const done = await responseBody<McpChange>(ports, 'POST', `${mcpServerPath(name)}/approve`, { digest })
  if (done === null) return 1
  const count = counted(done.server?.tools ?? 0, 'tool')
  ports.say(
    `New threads get ${count} of ${paint('bold', harmlessLine(name))} (catalog version ${done.catalog_version}).`,
  )
  return 0
}

async function remove(args: readonly string[], flags: ToolFlags, ports: ToolPorts): Promise<number | string> {
  const [name] = args
  if (name === undefined || args.length > 1) return 'mcp remove takes exactly one NAME.'
  if (!flags.yes) {
    const shown = harmlessLine(name)
    const question = `Remove ${shown}? Running conversations lose its tools immediately.`
    const stopped = await askToGoOn(ports, `remove ${shown}`, question)
    if (stopped !== null) return stopped
  }
  const done = await responseBody<McpChange>(ports, 'DELETE', mcpServerPath(name))
  if (done === null) return 1
  ports.say(
    `${paint('bold', harmlessLine(name))} was removed from the catalog (version ${done.catalog_version}).`,
  )
  return 0
}

async function test(args: readonly string[], flags: ToolFlags, ports: ToolPorts): Promise<number | string> {
  const [name, tool] = args
  if (name === undefined || tool === undefined || args.length > 2) return 'mcp test takes a NAME and a TOOL.'
  let input: unknown
  try {
    input = JSON.parse(flags.input ?? '{}')
  } catch {
    return `--input is not valid JSON. Write it like this: --input '{"id": "7"}'`
  }
  const outcome = await responseBody<McpTest>(ports, 'POST', `${mcpServerPath(name)}/test`, { tool, input })
  if (outcome === null) return 1
  if (flags.json) ports.say(JSON.stringify(outcome, null, 2))
  else {
    ports.say(paint(outcome.is_error ? 'red' : 'green', `${outcome.duration_ms} ms`))
    ports.say(harmless(outcome.result))
  }
  return outcome.is_error ? 1 : 0
}
