// Promise: `npm run tools` says what it did or would do, and changes nothing without confirmation.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { ToolFlags } from '../../../scripts/tools/input.ts'
import { runVerb } from '../../../scripts/tools/verbs.ts'
import { served } from '../../fakes/served.ts'

const FLAGS: ToolFlags = { all: false, header: [], 'dry-run': false, yes: false, json: false }
const TOOL = {
  name: 'find',
  description: 'Finds.',
  source: 'workspace',
  group: 'tickets',
  effect: 'read',
  approval: { ask: 'never' },
  method: 'GET',
  url: 'https://api.example.com/{{input.id}}',
  enabled: false,
  digest: 'a'.repeat(64),
  problem: null,
}

async function file(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'tools-')), 'given.json')
  await writeFile(path, text)
  return path
}

test('the list shows each tool with what it sends and whether it is on, page by page', async () => {
  const { output, ports } = served({
    'GET /admin/tools?limit=100': [200, { data: [TOOL], next_cursor: 'n' }],
    'GET /admin/tools?limit=100&cursor=n': [
      200,
      { data: [{ ...TOOL, name: 'sneaky\u001b[2J' }], next_cursor: null },
    ],
  })
  expect(await runVerb(['list'], FLAGS, ports)).toBe(0)
  expect(output).toHaveLength(3)
  expect(output[1]).toMatch(/^find +workspace +tickets +read +never +GET https:.* off$/)
  expect(output.join('')).not.toContain('\u001b[2J')
})

test('definitions are stored under their names; a refusal shows the field', async () => {
  const done = { tool: TOOL, catalog_version: 4, created: true }
  const { requested, output, complaints, ports } = served({
    'PUT /admin/tools/find?note=why': [201, done],
    'PUT /admin/tools/bad?note=why': [
      422,
      {
        code: 'invalid_tool',
        status: 422,
        detail: 'No.',
        errors: [{ path: 'request.url', message: 'is missing' }],
      },
    ],
  })
  const path = await file(JSON.stringify([{ name: 'find' }, { name: 'bad' }, { name: 'never' }]))
  expect(await runVerb(['put', path], { ...FLAGS, note: 'why' }, ports)).toBe(1)
  expect(requested.map(({ line }) => line)).toEqual([
    'PUT /admin/tools/find?note=why',
    'PUT /admin/tools/bad?note=why',
  ])
  expect(output).toEqual([expect.stringContaining('catalog version 4')])
  expect(complaints.join('')).toContain('request.url: is missing')
  for (const wrong of ['{', '{"description": "x"}'])
    expect(await runVerb(['put', await file(wrong)], FLAGS, ports)).toBe(1)
  expect(requested).toHaveLength(2)
})

test('nothing is removed or imported without confirmation', async () => {
  const answer = {
    imported: [{ name: 'a', operation: 'GET /a', change: 'added', notes: ['needs the secret X'] }],
    refused: [{ operation: 'PUT /b', reason: 'has a file body' }],
    unknown: ['zz'],
    catalog_version: 5,
  }
  const { requested, output, ports } = served({
    'DELETE /admin/tools/find': [200, { tool: null, catalog_version: 5 }],
    'POST /admin/tools/import?dry_run=1': [200, answer],
    'POST /admin/tools/import': [200, answer],
  })
  const path = await file('{"openapi": "3.1.0"}')
  const given = { ...FLAGS, operations: 'a, b', header: ['Authorization=Bearer {{secrets.X}}'] }
  expect(await runVerb(['remove', 'find'], FLAGS, ports)).toBe(2)
  expect(await runVerb(['import', path], given, { ...ports, ask: async () => 'n' })).toBe(1)
  expect(requested.map(({ line }) => line)).toEqual(['POST /admin/tools/import?dry_run=1'])
  expect(requested[0]?.body).toEqual({
    document: '{"openapi": "3.1.0"}',
    operations: ['a', 'b'],
    headers: { Authorization: 'Bearer {{secrets.X}}' },
  })
  expect(output.join('\n')).toMatch(
    /added +a[\s\S]*needs the secret X[\s\S]*refused +PUT \/b[\s\S]*unknown +zz/,
  )
  expect(await runVerb(['import', path], { ...given, yes: true }, ports)).toBe(0)
  expect(await runVerb(['remove', 'find'], { ...FLAGS, yes: true }, ports)).toBe(0)
  expect(requested.map(({ line }) => line).slice(1)).toEqual([
    'POST /admin/tools/import?dry_run=1',
    'POST /admin/tools/import',
    'DELETE /admin/tools/find',
  ])
})

test('a test call shows the request, the status and what the model would see', async () => {
  const { output, requested, ports } = served({
    'POST /admin/tools/find/test': [
      200,
      {
        request: {
          kind: 'tool',
          method: 'GET',
          url: 'https://x.example/7',
          headers: { A: '{{secrets.A}}' },
          body: null,
        },
        status: 200,
        result: 'Found.',
        is_error: false,
        duration_ms: 12,
      },
    ],
  })
  expect(await runVerb(['test', 'find'], { ...FLAGS, input: '{"id": "7"}' }, ports)).toBe(0)
  expect(requested[0]?.body).toEqual({ input: { id: '7' } })
  expect(output.join('\n')).toMatch(
    /GET https:\/\/x\.example\/7\nA: \{\{secrets\.A\}\}\n200 in 12 ms\nFound\./,
  )
  expect(await runVerb(['test', 'find'], { ...FLAGS, input: '{' }, ports)).toContain('--input')
  for (const wrong of [[], ['paint'], ['get'], ['get', 'a', 'b']])
    expect(await runVerb(wrong, FLAGS, ports)).toEqual(expect.any(String))
})

const OFFER = {
  server: 'notes',
  digest: 'b'.repeat(64),
  approved: null,
  tools: [
    {
      name: 'add',
      tool: 'mcp_notes_add',
      description: 'Adds\u001b[2J\u{E0041}.',
      input_schema: { type: 'object' },
      annotations: null,
      effect: 'once',
      change: 'added',
      diff: null,
    },
  ],
  removed: ['old'],
  refused: [{ name: 'odd', problem: 'The tool cannot be used.' }],
}

test('an MCP server is added and shown, and approved only after confirmation or by the shown digest', async () => {
  const { output, requested, ports } = served({
    'PUT /admin/mcp/notes': [201, { server: null, catalog_version: 6, created: true }],
    'POST /admin/mcp/notes/refresh': [200, OFFER],
    'POST /admin/mcp/notes/approve': [200, { server: { tools: 1 }, catalog_version: 7 }],
  })
  const add = ['mcp', 'add', 'notes', 'https://notes.example.com/mcp']
  const flags = { ...FLAGS, header: ['Authorization=Bearer {{secrets.N}}'] }
  expect(await runVerb(add, flags, ports)).toBe(0)
  expect(requested[0]?.body).toEqual({
    url: 'https://notes.example.com/mcp',
    headers: { Authorization: 'Bearer {{secrets.N}}' },
  })
  const shown = output.join('\n')
  expect(shown).toMatch(/add.* \(once\)[\s\S]*old is no longer offered[\s\S]*odd: The tool cannot be used/)
  expect(shown).toContain(`mcp approve notes --digest ${OFFER.digest}`)
  expect(shown).toContain('Adds⟨U+001B⟩[2J⟨U+E0041⟩.')
  const printed = output.length
  expect(await runVerb(add, { ...flags, json: true }, ports)).toBe(0)
  expect(JSON.parse(output.slice(printed).join('\n')), '--json prints nothing else').toEqual(OFFER)
  expect(await runVerb(['mcp', 'approve', 'notes'], FLAGS, ports)).toContain('--digest')
  expect(await runVerb(['mcp', 'refresh', 'notes'], FLAGS, { ...ports, ask: async () => 'y' })).toBe(0)
  expect(await runVerb(['mcp', 'approve', 'notes'], { ...FLAGS, digest: OFFER.digest }, ports)).toBe(0)
  const approvals = requested.filter(({ line }) => line.endsWith('/approve'))
  expect(approvals.map(({ body }) => body)).toEqual([{ digest: OFFER.digest }, { digest: OFFER.digest }])
})

test('everything of a new tool is shown before its approval, and so is a changed one without a diff', async () => {
  const end = '\nAll of this is approved. THE END'
  const tools = (['added', 'changed', 'same', 'changed'] as const).map((change, at) => ({
    name: `tool${at}`,
    tool: `mcp_notes_tool${at}`,
    description: `${'many words '.repeat(200)}${end} OF ${at}`,
    input_schema: { properties: { text: { description: `A field\u{E0041}. FIELD OF ${at}` } } },
    annotations: { title: `HINT OF ${at}` },
    effect: 'once',
    change,
    diff: at === 3 ? '--- a/tool3.json\n+++ b/tool3.json\n' : null,
  }))
  const { output, ports } = served({
    'POST /admin/mcp/notes/refresh': [200, { ...OFFER, tools }],
  })
  expect(await runVerb(['mcp', 'refresh', 'notes'], FLAGS, ports)).toBe(0)
  const shown = output.join('\n').replaceAll('\n    │ ', ' ').replace(/ +/g, ' ')
  for (const at of [0, 1])
    for (const text of [`THE END OF ${at}`, `A field⟨U+E0041⟩. FIELD OF ${at}`, `HINT OF ${at}`])
      expect(shown).toContain(text)
  expect(
    output.filter((line) => line.startsWith('All of this')),
    'imitates no line',
  ).toEqual([])
  expect(shown).toMatch(/tool2.* \(once\)\n many words .*…/)
  expect(shown).toMatch(/tool3.* \(once\)\n Only details that models do not read/)
})

test('MCP servers are listed, shown with blocked tools, tested and removed', async () => {
  const at = '2026-11-29T07:00:00.000Z'
  const last_error = { at, detail: 'HTTP 503' }
  const row = {
    name: 'notes',
    url: 'https://n.example',
    group: null,
    tools: 2,
    state: 'blocked',
    blocked: 1,
    last_seen_at: at,
    last_error,
    problem: null,
  }
  const detail = {
    ...row,
    approved_tools: ['add', 'list'].map((name) => ({ name, effect: 'read' })),
    blocked_tools: [{ name: 'add', change: 'changed', diff: '+ "Adds\u001b[31m\u3164"' }],
    unapproved_tools: ['new'],
  }
  const { output, requested, ports } = served({
    'GET /admin/mcp?limit=100': [200, { data: [row], next_cursor: null }],
    'GET /admin/mcp/notes': [200, detail],
    'POST /admin/mcp/notes/test': [200, { request: null, result: 'noted', is_error: false, duration_ms: 3 }],
    'DELETE /admin/mcp/notes': [200, { server: null, catalog_version: 8 }],
  })
  expect(await runVerb(['mcp', 'list'], FLAGS, ports)).toBe(0)
  expect(output.at(-1)).toMatch(/notes +https:\/\/n\.example +2 +1 blocked +2026/)
  expect(await runVerb(['mcp', 'show', 'notes'], FLAGS, ports)).toBe(0)
  const shown = output.join('\n')
  for (const words of [
    'last error',
    'list (read)',
    'add is blocked: the server changed it',
    '+ new is not approved',
    '+ "Adds⟨U+001B⟩[31m⟨U+3164⟩"',
  ])
    expect(shown).toContain(words)
  requested.length = 1
  expect(await runVerb(['mcp', 'test', 'notes', 'add'], { ...FLAGS, input: '{"text": "x"}' }, ports)).toBe(0)
  expect(await runVerb(['mcp', 'remove', 'notes'], FLAGS, ports)).toBe(2)
  expect(await runVerb(['mcp', 'remove', 'notes'], { ...FLAGS, yes: true }, ports)).toBe(0)
  expect(requested[1]?.body).toEqual({ tool: 'add', input: { text: 'x' } })
  expect(output.join('\n')).toMatch(/noted[\s\S]*was removed/)
})
