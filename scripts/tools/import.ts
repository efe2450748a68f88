// The verb `import`: turns an OpenAPI document into tools. Shows the changes and asks before it uploads them.

import type { ToolImport } from '../../src/client/tools.ts'
import { counted } from '../../src/lib/counted.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { splitList, readTextFile, type ToolFlags } from './input.ts'
import { askToGoOn, responseBody, type ToolPorts } from './ports.ts'

export async function importDocument(
  file: string,
  flags: ToolFlags,
  ports: ToolPorts,
): Promise<number | string> {
  const headers: Record<string, string> = {}
  for (const header of flags.header) {
    const equals = header.indexOf('=')
    if (equals < 1) return `--header ${header} is not a header. Write it as Name=value.`
    headers[header.slice(0, equals)] = header.slice(equals + 1)
  }
  const document = await readTextFile(file)
  if (!document.ok) {
    ports.complain(document.error)
    return 1
  }
  const { prefix, base: server, group, note } = flags
  const selection = { operations: splitList(flags.operations), tags: splitList(flags.tags) }
  const body = { document: document.value, ...selection, prefix, server, group, note, headers }
  const preview = await responseBody<ToolImport>(ports, 'POST', '/admin/tools/import?dry_run=1', body)
  if (preview === null) return 1
  if (flags.json && flags['dry-run']) ports.say(JSON.stringify(preview, null, 2))
  if (!flags.json) for (const line of importLines(preview)) ports.say(line)
  const changeCount = preview.imported.filter(({ change }) => change !== 'same').length
  if (changeCount === 0) {
    if (!flags.json) ports.say('Nothing to import.')
    return preview.imported.length > 0 ? 0 : 1
  }
  if (flags['dry-run']) {
    if (!flags.json)
      ports.say(`Without --dry-run, this would upload ${counted(changeCount, 'tool')}. Nothing was changed.`)
    return 0
  }
  if (!flags.yes) {
    const question = `Upload ${counted(changeCount, 'tool')} to ${ports.url}?`
    const stopped = await askToGoOn(ports, 'upload the tools', question)
    if (stopped !== null) return stopped
  }
  const result = await responseBody<ToolImport>(ports, 'POST', '/admin/tools/import', body)
  if (result === null) return 1
  ports.say(
    flags.json ? JSON.stringify(result, null, 2) : `Done: catalog version ${result.catalog_version} is live.`,
  )
  return 0
}

function importLines({ imported, refused, unknown }: ToolImport): readonly string[] {
  return [
    ...imported.flatMap(({ name, operation, change, notes }) => [
      `${change.padEnd(8)} ${paint('bold', harmlessLine(name))}  ${paint('dim', harmlessLine(operation))}`,
      ...notes.map((note) => `         ${harmlessLine(note)}`),
    ]),
    ...refused.map(({ operation, reason }) => `refused  ${harmlessLine(operation)}: ${harmlessLine(reason)}`),
    ...unknown.map((name) => `unknown  ${harmlessLine(name)}`),
  ]
}
