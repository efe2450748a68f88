// Promise: /tools shows the source of each tool, and to admins the blocked tools of an MCP server and why. Text from a
// server cannot control the terminal.

import { stripVTControlCharacters } from 'node:util'

import { expect, test } from 'vitest'

import { CHAT_COMMANDS } from '../../../scripts/chat/commands.ts'
import { ChatSession } from '../../../scripts/chat/session.ts'
import { Client } from '../../../src/client/client.ts'

import type { ChatTerminal } from '../../../scripts/chat/turn.ts'

const tool = (name: string, source: string, origin: object | null = null) => ({
  name,
  description: `Does ${name}.\u001b[2J\u{E0041}`,
  source,
  origin,
  label: null,
  group: null,
  effect: 'once',
  approval: { ask: 'never' },
})
const NOTES = {
  name: 'notes',
  url: 'https://notes.example/mcp',
  state: 'blocked',
  blocked: 1,
  approved: 'd1',
  last_seen_at: '2026-03-04T09:00:00.000Z',
  last_error: { at: '2026-03-04T09:00:00.000Z', detail: 'It timed out.' },
  problem: null,
}
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/v1/tools': {
    data: [
      tool('bash', 'builtin'),
      tool('get_ticket', 'http'),
      tool('mcp_notes_add_note', 'mcp', { server: 'notes', tool: 'add.note' }),
    ],
  },
  '/admin/mcp': { data: [NOTES], next_cursor: null },
  '/admin/mcp/notes': {
    ...NOTES,
    blocked_tools: [
      {
        name: 'list',
        tool: 'mcp_notes_list',
        change: 'changed',
        diff: '-old\n+\u001b[31mnew\uFE0F\u3164\u034F\u2800\u{E0100}',
      },
    ],
    unapproved_tools: ['drop_all'],
  },
}

async function say(args: string, isAdmin: boolean): Promise<string> {
  const lines: string[] = []
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    const { pathname } = new URL(url instanceof Request ? url.url : url)
    if (pathname.startsWith('/admin') && !isAdmin)
      return Response.json({ status: 403, code: 'forbidden', detail: 'Not for you.' }, { status: 403 })
    return Response.json(ANSWERS[pathname])
  }
  const client = new Client({ url: 'http://satchel.test', key: 'k', fetch, wait: async () => undefined })
  const server = { url: 'http://satchel.test', client, key: 'k', isDefault: false }
  const screen = { line: (line: string) => lines.push(line), fault: (line: string) => lines.push(line) }
  // The cast is safe: /tools uses only these parts.
  const terminal = { screen } as unknown as ChatTerminal
  const session = new ChatSession(server, terminal, undefined, false)
  await CHAT_COMMANDS.find(({ name }) => name === 'tools')?.run(session, args)
  for (const code of ['\u001b[2J', '\u001b[31m']) expect(lines.join('')).not.toContain(code)
  return stripVTControlCharacters(lines.join('\n'))
}

test('tools are listed by source, and admins see the state of a server', async () => {
  expect(await say('', true)).toMatch(
    /^notes · 1 blocked · last seen .+\n {4}add\.note\nHTTP tools\n {4}get_ticket\n/,
  )
  expect(await say('', false)).toMatch(
    /^notes\n {4}add\.note\nHTTP tools\n {4}get_ticket\nBuilt in\n {4}bash\n/,
  )
})

test('one server is shown with its last error, its blocked tools and why, and its new tools', async () => {
  const shown = await say('notes', true)
  for (const part of [
    'add.note\n',
    'It timed out.',
    'Does mcp_notes_add_note.⟨U+001B⟩[2J⟨U+E0041⟩',
    '! list is blocked: the server changed it.\n  │ -old\n  │ +⟨U+001B⟩[31mnew⟨U+FE0F⟩⟨U+3164⟩⟨U+034F⟩⟨U+2800⟩⟨and 1 more that cannot be seen⟩',
    '+ drop_all is not approved yet.',
  ])
    expect(shown).toContain(part)
  expect(await say('notes', false)).not.toContain('blocked')
  expect(await say('other', true)).toBe('There is no MCP server of this name.')
})
