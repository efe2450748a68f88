// Implements the verbs of `npm run tools`. Text from the server is made harmless before it is printed.

import type { ToolChange, ToolDetail, ToolRow, ToolTest } from '../../src/client/tools.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import { runMcp } from './mcp.ts'
import { importDocument } from './import.ts'
import { allPages, askToGoOn, responseBody, type ToolPorts } from './ports.ts'
import { readTextFile, type ToolFlags } from './input.ts'
import { toolTable, versionLines } from './table.ts'

type Verb = (name: string, flags: ToolFlags, ports: ToolPorts) => Promise<number | string>

/** Returns the exit status, or a message if the arguments are wrong. */
export async function runVerb(
  [verb, name, ...extra]: readonly string[],
  flags: ToolFlags,
  ports: ToolPorts,
): Promise<number | string> {
  if (verb === undefined)
    return 'Specify a verb: list, put, get, enable, disable, remove, rollback, test, import or mcp.'
  if (verb === 'mcp') return runMcp([...(name === undefined ? [] : [name]), ...extra], flags, ports)
  if (verb === 'list') return name === undefined ? list(flags, ports) : `list takes no argument (${name}).`
  const command = VERBS.get(verb)
  if (!command) return `There is no verb ${harmlessLine(verb)}. Run npm run tools -- --help for a list.`
  if (name === undefined || extra.length > 0) return `${verb} takes exactly one ${command.argument}.`
  return command.run(name, flags, ports)
}

async function list(flags: ToolFlags, ports: ToolPorts): Promise<number> {
  const rows = flags.all
    ? (await responseBody<{ readonly data: readonly ToolRow[] }>(ports, 'GET', '/v1/tools'))?.data
    : await allPages<ToolRow>(ports, '/admin/tools')
  if (!rows) return 1
  if (flags.json) ports.say(JSON.stringify(rows, null, 2))
  else if (rows.length === 0)
    ports.say('No tools have been added to this workspace. To add one, run npm run tools -- put FILE')
  else for (const line of toolTable(rows)) ports.say(line)
  return 0
}

const get: Verb = async (name, flags, ports) => {
  const tool = await responseBody<ToolDetail>(ports, 'GET', toolPath(name))
  if (tool === null) return 1
  if (flags.json) ports.say(JSON.stringify(tool, null, 2))
  else
    for (const line of [harmless(JSON.stringify(tool.definition, null, 2)), ...versionLines(tool)])
      ports.say(line)
  return 0
}

const put: Verb = async (file, flags, ports) => {
  const json = await readTextFile(file)
  if (!json.ok) {
    ports.complain(json.error)
    return 1
  }
  let definitions: unknown
  try {
    definitions = JSON.parse(json.value)
  } catch (error) {
    ports.complain(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
  const note = flags.note === undefined ? '' : `note=${encodeURIComponent(flags.note)}`
  for (const definition of Array.isArray(definitions) ? (definitions as unknown[]) : [definitions]) {
    const name =
      typeof definition === 'object' && definition !== null && 'name' in definition
        ? definition.name
        : undefined
    if (typeof name !== 'string') {
      ports.complain(`${file}: a definition has no "name".`)
      return 1
    }
    const outcome = await change(ports, flags, 'PUT', toolPath(name), definition, note)
    if (outcome === null) return 1
  }
  return 0
}

const remove: Verb = async (name, flags, ports) => {
  if (!flags['dry-run'] && !flags.yes) {
    const question = `Remove ${harmlessLine(name)} from ${ports.url}? Running conversations lose it immediately.`
    const stopped = await askToGoOn(ports, `remove ${harmlessLine(name)}`, question)
    if (stopped !== null) return stopped
  }
  return (await change(ports, flags, 'DELETE', toolPath(name))) === null ? 1 : 0
}

/** The verb `enable` or `disable`. */
function setEnabled(enabled: boolean): Verb {
  return async (name, flags, ports) =>
    (await change(ports, flags, 'PATCH', toolPath(name), { enabled })) === null ? 1 : 0
}

const rollback: Verb = async (name, flags, ports) => {
  const version = flags['to-version']
  const body = version === undefined ? {} : { to: version }
  return (await change(ports, flags, 'POST', `${toolPath(name)}/rollback`, body)) === null ? 1 : 0
}

const test: Verb = async (name, flags, ports) => {
  let input: unknown
  try {
    input = JSON.parse(flags.input ?? '{}')
  } catch {
    return `--input is not valid JSON. Write it like this: --input '{"id": "7"}'`
  }
  const secrets: Record<string, string> = {}
  for (const secret of flags.secret ?? []) {
    const value = process.env[secret]
    if (value === undefined)
      return `The environment variable ${harmlessLine(secret)}, named by --secret, is not set. Set it and try again.`
    secrets[secret] = value
  }
  const body = flags.secret?.length ? { input, secrets } : { input }
  const outcome = await responseBody<ToolTest>(ports, 'POST', `${toolPath(name)}/test`, body)
  if (outcome === null) return 1
  if (flags.json) ports.say(JSON.stringify(outcome, null, 2))
  else {
    const { request, status, result, is_error, duration_ms } = outcome
    if (request) {
      ports.say(`${paint('bold', request.method)} ${harmlessLine(request.url)}`)
      for (const [key, value] of Object.entries(request.headers))
        ports.say(paint('dim', harmlessLine(`${key}: ${value}`)))
      if (request.body !== null) ports.say(harmless(request.body))
    }
    ports.say(paint(is_error ? 'red' : 'green', `${status ?? 'no response'} in ${duration_ms} ms`))
    ports.say(harmless(result))
  }
  return outcome.is_error ? 1 : 0
}

const VERBS: ReadonlyMap<string, { readonly argument: string; readonly run: Verb }> = new Map([
  ['put', { argument: 'FILE', run: put }],
  ['get', { argument: 'NAME', run: get }],
  ['enable', { argument: 'NAME', run: setEnabled(true) }],
  ['disable', { argument: 'NAME', run: setEnabled(false) }],
  ['remove', { argument: 'NAME', run: remove }],
  ['rollback', { argument: 'NAME', run: rollback }],
  ['test', { argument: 'NAME', run: test }],
  ['import', { argument: 'FILE', run: importDocument }],
])

function toolPath(name: string): string {
  return `/admin/tools/${encodeURIComponent(name)}`
}

async function change(
  ports: ToolPorts,
  flags: ToolFlags,
  method: string,
  path: string,
  body?: unknown,
  query = '',
): Promise<ToolChange | null> {
  const queries = [query, flags['dry-run'] ? 'dry_run=1' : ''].filter((part) => part !== '')
  const outcome = await responseBody<ToolChange>(
    ports,
    method,
    `${path}${queries.length > 0 ? '?' : ''}${queries.join('&')}`,
    body,
  )
  if (outcome === null) return null
  if (flags.json) ports.say(JSON.stringify(outcome, null, 2))
  else ports.say(changeMessage(decodeURIComponent(path.split('/')[3] ?? ''), outcome, method))
  return outcome
}

function changeMessage(
  name: string,
  { tool, catalog_version, created, dry_run, changes }: ToolChange,
  method: string,
): string {
  const boldName = paint('bold', harmlessLine(name))
  if (dry_run && changes) {
    const kinds = Object.entries(changes).flatMap(([kind, names]) => (names.length > 0 ? kind : []))
    return `Without --dry-run, this would change ${kinds.length > 0 ? `${boldName} (${kinds.join(', ')})` : 'nothing'}.`
  }
  if (!tool) return `${boldName} was removed from the catalog (version ${catalog_version}).`
  if (method === 'PUT' && !created) return `${boldName} is already live with this definition.`
  const state = tool.enabled ? 'live' : 'disabled'
  return `${boldName} is ${state} at ${tool.digest.slice(0, 8)} (catalog version ${catalog_version}).`
}
