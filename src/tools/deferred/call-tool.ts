// call_tool: calls a tool that tool_search showed. The thread resolves the target first, so this code only runs if
// there is none, and returns an error that explains why. It never calls anything.

import { errorResult, type BuiltinTool } from '../record/builtin.ts'
import { TOOL_TIMEOUT_MS } from '../record/limits.ts'
import { CALL_TOOL_NAME, TOOL_SEARCH_NAME } from './names.ts'
import { readCall } from './read-call.ts'
import { CATALOG_UNREADABLE } from './tool-search.ts'

export const CALL_TOOL: BuiltinTool = {
  spec: {
    name: CALL_TOOL_NAME,
    description: `Calls a tool that ${TOOL_SEARCH_NAME} has shown in this conversation. It is the same as calling that tool directly: the same permissions, approvals and results. Tools in your own list are called directly instead.`,
    input_schema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          description: `The name of the tool, as ${TOOL_SEARCH_NAME} shows it.`,
        },
        input: {
          type: 'object',
          description:
            'The input of the tool, as its own schema says. An object, not JSON in a string; {} if it needs nothing.',
        },
      },
      required: ['name', 'input'],
      additionalProperties: false,
    },
  },
  label: { icon: 'tool', now: 'Calling', past: 'Called', failed: 'Could not call', many: 'tools' },
  always: true,
  includedIf: ({ defers }) => defers,
  effect: 'read',
  make: ({ deferred }) => ({
    timeoutMs: TOOL_TIMEOUT_MS,
    limitsResults: true,
    run: async (input) => {
      const call = readCall(input)
      if (!call.ok) return errorResult(call.error)
      const catalog = await deferred()
      if (!catalog.ok) return errorResult(CATALOG_UNREADABLE)
      const { explain } = await import('./explain.ts')
      return explain(catalog.value, call.value)
    },
  }),
}
