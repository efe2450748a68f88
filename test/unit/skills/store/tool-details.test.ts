// Guards where the definitions of tools are stored: few are in the index, many are in objects beside it, which are
// found by their hash, hold exactly what was stored, and are read at most once.

import { describe, expect, it } from 'vitest'
import { fromUtf8, sha256Hex, utf8 } from '../../../../src/lib/bytes.ts'
import { canonicalJson } from '../../../../src/lib/canonical-json.ts'
import type { WholeTool } from '../../../../src/skills/skill.ts'
import { contentReader, isolateCache } from '../../../../src/skills/store/content-reader.ts'
import { indexObjects, indexOfObjects } from '../../../../src/skills/store/index-objects.ts'
import { indexSize } from '../../../../src/skills/store/index-size.ts'
import { blobKey, indexKey } from '../../../../src/skills/store/keys.ts'
import { TOOLS_IN_INDEX_MAX_BYTES, TOOLS_IN_ONE_OBJECT_MAX } from '../../../../src/skills/store/limits.ts'
import { storedTools } from '../../../../src/skills/store/tool-details.ts'
import { entry } from './entries.ts'
import { memoryStores } from './memory-stores.ts'

async function httpTool(name: string, words = 'Finds what was asked for. '): Promise<WholeTool> {
  const definition = {
    name,
    description: words.repeat(20),
    input_schema: { type: 'object', properties: { id: { type: 'string', description: words.repeat(20) } } },
    request: { method: 'GET', url: 'https://api.example.com/{{input.id}}' },
    effect: 'read',
    approval: { ask: 'never' },
    group: 'records',
  }
  const digest = await sha256Hex(canonicalJson(definition))
  return { name, digest, definition, enabled: true, source: 'workspace', updated_at: null }
}

/** A server of which these tools were approved. */
function server(name: string, tools: readonly string[]): WholeTool {
  const pins = tools.map((tool) => ({
    name: tool,
    tool: `mcp_${name}_${tool}`,
    digest: '7'.repeat(64),
    description: `Does ${tool}. `.repeat(40),
    input_schema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, title: 'A title that only people read' },
    param_headers: [],
  }))
  return {
    name: `mcp:${name}`,
    digest: '8'.repeat(64),
    definition: { url: 'https://notes.example.com/mcp', trusted: true },
    enabled: true,
    source: 'workspace',
    updated_at: null,
    approved: { url: 'https://notes.example.com/mcp', digest: '9'.repeat(64), tools: pins },
  }
}

function withoutApproval(tool: WholeTool): WholeTool {
  const { approved: _, ...entry } = tool
  return entry
}

const MANY = [
  ...(await Promise.all(Array.from({ length: 250 }, (_, at) => httpTool(`tool_${at}`)))),
  server('notes', ['add_note', 'list_notes']),
  withoutApproval(server('new', [])),
].toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** A reader of the stores with the objects of an index with these tools. */
async function stored(tools: readonly WholeTool[], scope: 'build' | 'workspace' = 'workspace') {
  const { address, objects } = await indexObjects({ format: 1, skills: [entry('a')], tools })
  const memory = memoryStores()
  for (const { sha256, bytes } of objects)
    if (scope === 'build') memory.r2.set(blobKey('build', sha256), bytes as Uint8Array<ArrayBuffer>)
    else memory.kv.set(indexKey(sha256), bytes as Uint8Array<ArrayBuffer>)
  const content = contentReader(memory.stores, 'w', isolateCache())
  const index = await content.index(address)
  if (!index.ok) throw new Error(index.error.detail)
  return { ...memory, address, objects, content, index: index.value }
}

describe('the definitions of few tools', () => {
  it('are in the index, and nothing else is read for them', async () => {
    const few = MANY.filter(({ name }) => /^(?:mcp:|tool_1\d$)/.test(name))
    const { objects, content, index, reads } = await stored(few)
    expect(objects).toHaveLength(1)
    reads.length = 0
    expect(await content.wholeTools(index.tools ?? [])).toEqual({ ok: true, value: few })
    expect(reads).toEqual([])
  })
})

describe('the definitions of many tools', () => {
  it('are beside the index, which has a line for each, and are returned unchanged', async () => {
    for (const scope of ['build', 'workspace'] as const) {
      const { objects, content, index, reads } = await stored(MANY, scope)
      const text = fromUtf8(objects.at(-1)?.bytes ?? new Uint8Array()) ?? ''
      expect(text.length).toBeLessThan(550 * MANY.length)
      expect(text).not.toMatch(/input_schema|request|A title/)
      const [http, notes] = ['tool_7', 'mcp:notes'].map((name) =>
        index.tools?.find((tool) => tool.name === name),
      )
      expect(http?.definition).toEqual({
        name: 'tool_7',
        group: 'records',
        effect: 'read',
        approval: { ask: 'never' },
        description: expect.stringMatching(/^Finds what.{80,110}$/),
        tokens: expect.any(Number),
      })
      expect(notes).toMatchObject({
        definition: { trusted: true },
        approved: {
          url: 'https://notes.example.com/mcp',
          tools: [
            { name: 'add_note', tool: 'mcp_notes_add_note', annotations: { readOnlyHint: true } },
            { name: 'list_notes' },
          ],
        },
      })
      reads.length = 0
      const { tools = [] } = index
      expect(await content.wholeTools(tools)).toEqual({ ok: true, value: MANY })
      const count = new Set(reads).size
      expect(count).toBeLessThanOrEqual(scope === 'build' ? 51 : 17)
      const first = await content.wholeTools(tools)
      const second = await content.wholeTools(tools)
      expect(first.ok && second.ok && first.value === second.value).toBe(true)
      expect(new Set(reads).size).toBe(count)
    }
  })

  it('are read only from objects with the requested ones', async () => {
    const { content, index, reads } = await stored(MANY)
    reads.length = 0
    const wanted = index.tools?.filter(({ name }) => name === 'mcp:notes' || name === 'mcp:new') ?? []
    expect(await content.wholeTools(wanted)).toEqual({
      ok: true,
      value: MANY.filter(({ name }) => name.startsWith('mcp:')),
    })
    expect(reads).toHaveLength(1)
  })

  it('are written again only for changes, whatever the order', async () => {
    expect(MANY.length).toBeGreaterThan(TOOLS_IN_ONE_OBJECT_MAX)
    const before = await storedTools(MANY)
    expect(await storedTools(MANY.toReversed())).toEqual({
      ...before,
      tools: before.tools.toReversed(),
      objects: before.objects,
    })
    const changed = await httpTool('tool_7', 'Does something else. ')
    const after = await storedTools(MANY.map((tool) => (tool.name === 'tool_7' ? changed : tool)))
    const fresh = [...after.objects.keys()].filter((sha256) => !before.objects.has(sha256))
    expect(fresh.length).toBeLessThanOrEqual(2)
    // Entries that were read from an index stay where they are.
    expect((await storedTools([...before.tools, changed])).tools).toEqual([...before.tools, changed])
  })

  it('count for the size of the index with their lines, and read back from the objects of a build', async () => {
    const { objects, address } = await stored(MANY)
    const texts = objects.map(({ bytes }) => fromUtf8(bytes) ?? '')
    const size = utf8(texts.at(-1) ?? '').length
    const { bytes } = indexSize({ format: 1, skills: [], tools: MANY })
    expect(bytes).toBeGreaterThan(TOOLS_IN_INDEX_MAX_BYTES)
    expect(Math.abs(size - bytes)).toBeLessThan(size / 20)
    expect(indexOfObjects(texts)?.tools).toHaveLength(MANY.length)
    expect(await sha256Hex(texts.at(-1) ?? '')).toBe(address)
  })

  it('that are missing or of others are an error that says so', async () => {
    const { kv, content, index, objects } = await stored(MANY)
    const wanted = index.tools?.filter(({ name }) => name === 'mcp:notes') ?? []
    const [notes] = wanted
    kv.delete(indexKey(notes?.details?.sha256 ?? ''))
    expect(await content.wholeTools(wanted)).toMatchObject({ error: { code: 'catalog_broken' } })
    const other = objects.find(({ sha256 }) => sha256 !== notes?.details?.sha256)
    const foreign = wanted.map((tool) => ({ ...tool, details: { sha256: other?.sha256 ?? '', bytes: 1 } }))
    expect(await content.wholeTools(foreign)).toMatchObject({ error: { code: 'catalog_broken' } })
  })
})
