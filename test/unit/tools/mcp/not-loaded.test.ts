// Guards that a workspace without MCP servers evaluates none of their code: neither for a new thread, nor for a call,
// nor for a search. In a separate process, because the tests of a file share modules with others.

import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

const AT = new URL('../../../../', import.meta.url)

/** Makes a thread's tools, one call and one search, and prints the modules that were loaded. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const at = (path) => import('${AT}' + path)
const { checkTool } = await at('src/tools/check-tool.ts')
const { BUILTINS } = await at('src/tools/builtins.ts')
const { searchedToolsOf, definedTools, namedToolsOf, toolFor } = await at('src/tools/sources.ts')
const { search } = await at('src/tools/deferred/run-search.ts')
const { runTools } = await at('test/fakes/tool-context.ts')
const request = { method: 'GET', url: 'https://api.example.com/7' }
const checked = await checkTool({ name: 'get_ticket', description: 'Reads a ticket.', input_schema: { type: 'object' }, request }, {})
const http = { ...checked.value, enabled: true, source: 'workspace', updated_at: null }
const server = { name: 'mcp:notes', digest: 'd', definition: { url: 'https://notes.example.com/mcp' }, enabled: true, source: 'workspace', updated_at: null }
const entries = process.argv[1] === 'server' ? [http, server] : [http]
const whole = async (of) => ({ ok: true, value: of })
const [tool] = await namedToolsOf(BUILTINS, entries)
const found = await toolFor(tool.row, runTools({ live: async () => ({ ok: true, value: entries }), whole }))
const tools = await searchedToolsOf(BUILTINS, entries, entries)
const { content } = await search({ tools, permits: () => true, define: (of) => definedTools(of, whole) }, 'ticket')
console.log(JSON.stringify({ found: found.ok, content, loaded }))
`

interface Printed {
  readonly found: boolean
  readonly content: string
  readonly loaded: readonly string[]
}

function mcpModules(what: string): readonly string[] {
  const args = ['--no-warnings', '--input-type=module', '--eval', PROGRAM, what]
  const { found, content, loaded }: Printed = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  )
  expect(found).toBe(true)
  expect(content).toContain('get_ticket')
  return loaded
    .filter((url) => /\/src\/(?:tools\/)?mcp\//.test(url))
    .map((url) => url.slice(AT.href.length))
    .toSorted()
}

test('without a server, only its entry among the sources is loaded; with one, the code for its definition, too', () => {
  const shared = ['src/tools/mcp/limits.ts', 'src/tools/mcp/names.ts', 'src/tools/mcp/source.ts']
  expect(mcpModules('none').filter((file) => !shared.includes(file))).toEqual([])
  expect(mcpModules('server')).toContain('src/tools/mcp/live.ts')
  expect(mcpModules('server')).not.toContain('src/mcp/client.ts')
})
