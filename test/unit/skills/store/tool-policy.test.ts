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
  ['no skill is active', [], 'bash', true],
  ['none declares', [skill('a', null)], 'bash', true],
  ['it is declared', [skill('a', ['bash'])], 'bash', true],
  ['it is declared by its name elsewhere', [skill('a', ['Bash(git:*)', 'Read'])], 'bash', true],
  ['another one is declared', [skill('a', ['Read'])], 'bash', false],
  ['only foreign names are declared', [skill('a', ['Azure MCP/documentation'])], 'bash', true],
  ['a foreign and another known name are declared', [skill('a', ['Foreign', 'Write'])], 'bash', false],
  ['nothing is declared, expressly', [skill('a', [])], 'bash', false],
  ['one of two declares it', [skill('a', ['Read']), skill('b', ['Bash'])], 'bash', true],
  ['one declares nothing, the other it', [skill('a', []), skill('b', ['Bash'])], 'bash', true],
  ['who does not declare adds nothing', [skill('a', ['Read']), skill('b', null)], 'bash', false],
  ['a tool of settings is declared by its own name', [skill('a', ['send_mail'])], 'send_mail', true],
  ['a tool of settings is the only known name', [skill('a', ['send_mail'])], 'bash', false],
  ['an MCP tool is declared as server:tool', [skill('a', ['notes:add.note'])], 'mcp_notes_add_note', true],
  [
    'an MCP tool is declared as other hosts do',
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
    'an MCP tool is ruled out in other letter case',
    [skill('a', null, ['Notes:Add_Note'])],
    'mcp_notes_add_note',
    false,
  ],
  ['an MCP server is declared', [skill('a', ['mcp__notes'])], 'mcp_notes_add_note', true],
  [
    'a tool of another MCP server is ruled out',
    [skill('a', null, ['mcp__note'])],
    'mcp_notes_add_note',
    true,
  ],
  ['an MCP server is ruled out', [skill('a', null, ['mcp__notes'])], 'mcp_notes_add_note', false],
  ['it is ruled out', [skill('a', null, ['Bash'])], 'bash', false],
  [
    'one declares it, another rules it out',
    [skill('a', ['Bash']), skill('b', null, ['bash'])],
    'bash',
    false,
  ],
  ['another one is ruled out', [skill('a', null, ['Write'])], 'bash', true],
  ['reading is declared by nobody', [skill('a', [])], 'read_file', true],
  ['reading is ruled out', [skill('a', null, ['Read'])], 'read_file', true],
  ['loading is declared by nobody', [skill('a', ['Bash'])], 'load_skill', true],
  ['asking is declared by nobody', [skill('a', [])], 'ask_clarification', true],
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
