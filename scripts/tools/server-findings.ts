// What an admin should know of an MCP server's tools, as lines of a terminal. Text from the server is made harmless.

import type { McpServerDetail } from '../../src/client/mcp.ts'
import { markInvisible } from '../../src/lib/mark-invisible.ts'
import { harmlessLine } from '../lib/terminal.ts'

const CHANGES = { changed: 'changed it', removed: 'no longer offers it' } as const

/** The tools that are not called, with what was changed, and those that nobody approved. `indent` precedes each line of a diff. */
export function* serverFindingLines(
  { blocked_tools, unapproved_tools }: Pick<McpServerDetail, 'blocked_tools' | 'unapproved_tools'>,
  indent: string,
): Generator<string> {
  for (const { name, change, diff } of blocked_tools) {
    yield `! ${harmlessLine(name)} is blocked: the server ${CHANGES[change]}.`
    if (diff !== null)
      yield* markInvisible(diff)
        .split('\n')
        .map((line) => indent + line)
  }
  for (const name of unapproved_tools) yield `+ ${harmlessLine(name)} is not approved yet.`
}
