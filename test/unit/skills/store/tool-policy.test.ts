// Promise: the tools that active skills declare restrict which may be called, and unknown names never lock an agent
// out.

import { expect, test } from 'vitest'
import { barred, barredText } from '../../../../src/skills/view/tool-policy.ts'
import { entry } from './entries.ts'
import { KNOWN_TOOLS } from '../../../../src/tools/builtins.ts'

const OFFERED = ['load_skill', 'read_file', 'ls', 'bash', 'write_file', 'send_mail', 'mcp_notes_add_note']

function skill(name: string, allowed: readonly string[] | null, disallowed: readonly string[] = []) {
  return entry(name, { allowed_tools: allowed, disallowed_tools: disallowed })
}

test.each<[string, readonly ReturnType<typeof skill>[], string, boolean]>([
  ['no active skill', [], 'bash', true],
  ['no declaration', [skill('a', null)], 'bash', true],
  ['it declared', [skill('a', ['bash'])], 'bash', true],
  ['it declared by its foreign name', [skill('a', ['Bash(git:*)', 'Read'])], 'bash', true],
  ['another tool declared', [skill('a', ['Read'])], 'bash', false],
  ['only unknown names declared', [skill('a', ['Azure MCP/documentation'])], 'bash', true],
  ['an unknown and another known name declared', [skill('a', ['Foreign', 'Write'])], 'bash', false],
  ['an explicitly empty declaration', [skill('a', [])], 'bash', false],
  ['one of two skills declaring it', [skill('a', ['Read']), skill('b', ['Bash'])], 'bash', true],
  ['one skill declaring nothing, the other it', [skill('a', []), skill('b', ['Bash'])], 'bash', true],
  [
    'a skill without a declaration beside one with it',
    [skill('a', ['Read']), skill('b', null)],
    'bash',
    false,
  ],
  ['a configured tool declared by its own name', [skill('a', ['send_mail'])], 'send_mail', true],
  ['a configured tool as the only known name', [skill('a', ['send_mail'])], 'bash', false],
  ['an MCP tool declared as server:tool', [skill('a', ['notes:add.note'])], 'mcp_notes_add_note', true],
  [
    'an MCP tool declared as other hosts do',
    [skill('a', ['mcp__notes__add_note'])],
    'mcp_notes_add_note',
    true,
  ],
  [
    'an MCP tool is ruled out as server__tool',
    [skill('a', null, ['notes__add_note'])],
    'mcp_notes_add_note',
    false,
  ],
  [
    'an MCP tool disallowed in another letter case',
    [skill('a', null, ['Notes:Add_Note'])],
    'mcp_notes_add_note',
    false,
  ],
  ['an MCP server declared', [skill('a', ['mcp__notes'])], 'mcp_notes_add_note', true],
  ['a tool of another MCP server disallowed', [skill('a', null, ['mcp__note'])], 'mcp_notes_add_note', true],
  ['an MCP server disallowed', [skill('a', null, ['mcp__notes'])], 'mcp_notes_add_note', false],
  ['it disallowed', [skill('a', null, ['Bash'])], 'bash', false],
  [
    'one skill declaring it, another disallowing it',
    [skill('a', ['Bash']), skill('b', null, ['bash'])],
    'bash',
    false,
  ],
  ['another tool disallowed', [skill('a', null, ['Write'])], 'bash', true],
  ['reading, without a declaration', [skill('a', [])], 'read_file', true],
  ['reading disallowed', [skill('a', null, ['Read'])], 'read_file', true],
  ['loading, without a declaration', [skill('a', ['Bash'])], 'load_skill', true],
  ['asking, without a declaration', [skill('a', [])], 'ask_clarification', true],
])('with %s', (_, active, tool, allowed) => {
  expect(barred(tool, active, OFFERED, KNOWN_TOOLS) === null).toBe(allowed)
})

test('the refusal names the tool, the skills and the remaining tools', () => {
  const some = barred(
    'bash',
    [skill('a', ['Write']), skill('b', ['send_mail']), skill('c', null)],
    OFFERED,
    KNOWN_TOOLS,
  )
  if (!some) throw new Error('expected a bar')
  const text = barredText('bash', some)
  expect(text).toMatch(/^Error: Tool 'bash' is not allowed by the active skill policy\. /)
  expect(text).toContain('Skills "a", "b" leave these tools: write_file, send_mail')
  const none = barred('bash', [skill('a', [])], OFFERED, KNOWN_TOOLS)
  expect(none && barredText('bash', none)).toContain('Skill "a" leaves no tool with side effects')
  const out = barred('bash', [skill('a', null, ['Bash'])], OFFERED, KNOWN_TOOLS)
  expect(out && barredText('bash', out)).toContain('Skill "a" rules this tool out')
})
