// Threads whose catalog has many tools: HTTP tools and tools of MCP servers, on scripted networks, and a catalog that
// a test changes; what their models do, and the results.

import type { Event } from '../../src/agent/events.ts'
import type { ModelRequest } from '../../src/agent/model.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import type { GuardedFetch } from '../../src/net/fetch.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import type { SkillIndex, ToolEntry } from '../../src/skills/skill.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { checkTool } from '../../src/tools/check-tool.ts'
import { offerOf } from '../../src/tools/mcp/offer.ts'
import { digestsOf } from '../../src/tools/mcp/pins.ts'
import { parseServer } from '../../src/tools/mcp/server.ts'
import { speaks, TestThread, value } from './rig.ts'
import { ScriptedModel, use, type Turn } from './scripted-model.ts'

const SKILLS: SkillIndex['skills'] = []

/** An HTTP tool that takes an `id` and adds a `note`. */
export async function httpTool(name: string, own: object = {}): Promise<ToolEntry> {
  const checked = await checkTool(
    {
      name,
      description: `Handles ${name.replaceAll('_', ' ')}.`,
      input_schema: {
        type: 'object',
        properties: { id: { type: 'string' }, note: { type: 'string' } },
        required: ['id'],
      },
      request: { method: 'GET', url: 'https://api.example.com/{{input.id}}' },
      group: 'records',
      ...own,
    },
    {},
  )
  return { ...value(checked), enabled: true, source: 'workspace', updated_at: null }
}

/** An MCP server of which an admin approved these tools. */
export async function mcpServer(
  name: string,
  tools: readonly string[],
  own: object = {},
): Promise<ToolEntry> {
  const url = `https://${name}.example.com/mcp`
  const definition = value(parseServer({ url, trusted: true, ...own }))
  const offered = tools.map((tool) => ({
    name: tool,
    description: `Does ${tool.replaceAll('_', ' ')} at ${name}.`,
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: null,
    annotations: { readOnlyHint: true },
  }))
  const { pins } = await offerOf(name, definition, offered, await digestsOf(offered))
  const json = { ...definition }
  return {
    name: `mcp:${name}`,
    digest: '0'.repeat(64),
    definition: json,
    enabled: true,
    source: 'workspace',
    updated_at: null,
    approved: { ...pins },
  }
}

async function manyTools(): Promise<readonly ToolEntry[]> {
  const http = Array.from({ length: 400 }, (_, at) => httpTool(`record_${THINGS[at % 10]}_${at}`))
  const names = Array.from({ length: 50 }, (_, at) => `list_${THINGS[at % 10]}_${at}`)
  return Promise.all([...http, mcpServer('alpha', names), mcpServer('beta', names)])
}

const THINGS = 'contacts deals invoices tickets orders parcels meetings files rooms employees'.split(' ')

export class ToolCatalog {
  #version = 1
  readonly #indexes = new Map<string, SkillIndex>()
  /** The addresses that HTTP tools reached. */
  readonly reached: string[] = []

  constructor(tools: readonly ToolEntry[]) {
    this.set(tools)
  }

  /** Makes these the tools of the catalog. */
  set(tools: readonly ToolEntry[]): void {
    this.#version += 1
    this.#indexes.set(this.#address, { format: 1, skills: SKILLS, tools })
  }

  get #address(): string {
    return String(this.#version).padStart(64, '0')
  }

  readonly #fetch: GuardedFetch = async ({ url }) => {
    this.reached.push(url)
    const headers = { 'content-type': 'text/plain' }
    return ok({ status: 200, headers, body: utf8(`Found ${url}.`), cut: false, url })
  }

  get ports(): Partial<ThreadPorts> {
    return {
      liveCatalog: async () => ok({ version: this.#version, index: this.#address, used: null }),
      index: async (_, sha256): Promise<Result<SkillIndex>> =>
        ok(this.#indexes.get(sha256) ?? { format: 1, skills: SKILLS }),
      toolNet: () => this.#fetch,
    }
  }
}

/** The text of the last results that the model got. */
export function newestResults({ messages }: ModelRequest): readonly string[] {
  return (messages.at(-1)?.content ?? []).flatMap(({ type, content }) =>
    type === 'tool_result' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [],
  )
}

/** 500 tools: 400 of HTTP, and 100 of two servers. */
export const ALL = await manyTools()

interface Made {
  readonly thread: TestThread
  readonly model: ScriptedModel
  readonly catalog: ToolCatalog
}

/** A thread with these tools, whose model makes one turn after the other. */
export function made(
  turns: ConstructorParameters<typeof ScriptedModel>[0],
  tools: readonly ToolEntry[] = ALL,
  ports: Partial<ThreadPorts> = {},
): Made {
  const catalog = new ToolCatalog(tools)
  const model = new ScriptedModel(turns)
  const thread = new TestThread({ ...speaks(model), ...catalog.ports, ...ports })
  return { thread, model, catalog }
}

export const search = (id: string, query: string): Turn => ({ content: [use(id, 'tool_search', { query })] })
export const call = (id: string, name: string, input: unknown = { id }): Turn => ({
  content: [use(id, 'call_tool', { name, input })],
})

export async function events(thread: TestThread, more = {}, words = 'Do it.'): Promise<readonly Event[]> {
  const { run_id } = await thread.start(words, more)
  await thread.ended(run_id)
  return thread.checkEnded(run_id, 1)
}

export function completed(all: readonly Event[]): readonly (readonly [string, boolean])[] {
  return all.flatMap((event) =>
    event.type === 'tool.completed' ? [[event.name, event.is_error] as const] : [],
  )
}
