// What an MCP server offers, as lines of a terminal, with everything that an approval covers. Text from the server is
// marked, and none of it is left out.

import { markInvisibleInJson } from '../../src/agent/display-request.ts'
import type { McpOffered } from '../../src/client/mcp.ts'
import { markInvisible } from '../../src/lib/mark-invisible.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import { truncateTo, wrapWithBar } from '../lib/wrap.ts'

type OfferedTool = McpOffered['tools'][number]

/** A bar precedes each line of the server's text, so that the text cannot imitate the lines of this command. */
const BAR = '    │ '
const SAME_DESCRIPTION_MAX_COLUMNS = 120

/** `columns` is the width of the terminal. */
export function* mcpOfferLines({ tools, removed, refused }: McpOffered, columns: number): Generator<string> {
  for (const tool of tools) yield* toolLines(tool, columns)
  for (const name of removed) yield `- ${harmlessLine(name)} is no longer offered.`
  for (const { name, problem } of refused) yield `x ${harmlessLine(name)}: ${harmlessLine(problem)}`
}

function* toolLines(tool: OfferedTool, columns: number): Generator<string> {
  const { name, effect, change, description, diff } = tool
  yield `${change === 'same' ? ' ' : change === 'added' ? '+' : '!'} ${paint('bold', harmlessLine(name))} (${effect})`
  if (change === 'same')
    yield `    ${truncateTo(harmlessLine(markInvisible(description)), SAME_DESCRIPTION_MAX_COLUMNS)}`
  else if (diff === null) yield* wrapWithBar(wholeText(tool), columns, BAR)
  else if (diff.includes('\n@@')) yield markInvisible(diff)
  else yield '    Only details that models do not read have changed.'
}

/** Everything of a tool that an approval covers. */
function wholeText({ tool, description, input_schema, annotations }: OfferedTool): string {
  const rest = JSON.stringify(markInvisibleInJson({ tool, input_schema, annotations }), null, 2)
  return harmless(`${markInvisible(description)}\n${rest}`)
}
