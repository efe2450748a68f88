// tool_search: finds tools that are not in the model's list, and shows their definitions.

import * as z from 'zod'
import { cutText } from '../../lib/text.ts'
import { errorResult, type BuiltinTool } from '../record/builtin.ts'
import { TOOL_TIMEOUT_MS } from '../record/limits.ts'
import { TOOL_QUERY_MAX_CHARS, TOOLS_FOUND_MAX, TOOLS_SELECTED_MAX } from './limits.ts'
import { CALL_TOOL_NAME, TOOL_SEARCH_NAME } from './names.ts'

const Input = z.strictObject({ query: z.string().min(1) })

// The texts are the same in every thread and contain neither names nor numbers of tools, so that the prefix of
// requests does not change.
export const TOOL_SEARCH: BuiltinTool = {
  spec: {
    name: TOOL_SEARCH_NAME,
    description: `Finds tools that are not in your list and shows their definitions: name, description, effect and input schema. Your instructions name the servers and groups that they come from. Search before you say that something cannot be done. Then call a tool that was found with ${CALL_TOOL_NAME}; a definition stays valid for the whole conversation, so do not search for it again. A query of words returns the best ${TOOLS_FOUND_MAX}, and names others.`,
    input_schema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          description: `What the tool does and to what, in English, such as "create calendar event". "select:name_a,name_b" returns up to ${TOOLS_SELECTED_MAX} tools by name. "+part words" returns only tools whose name contains that part, such as the name of a server, ranked by the words. A regular expression in RE2 syntax, such as "^mcp_crm_.*contact", is matched with names and descriptions.`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
  },
  label: {
    icon: 'search',
    now: 'Looking for tools:',
    past: 'Looked for tools:',
    failed: 'Found no tools:',
    many: 'queries',
  },
  always: true,
  includedIf: ({ defers }) => defers,
  effect: 'read',
  make: ({ deferred }) => ({
    timeoutMs: TOOL_TIMEOUT_MS,
    limitsResults: true,
    run: async (input) => {
      const parsed = Input.safeParse(input)
      if (!parsed.success) return errorResult('The input is not valid: send {"query": "words"}.')
      const catalog = await deferred()
      if (!catalog.ok) return errorResult(CATALOG_UNREADABLE)
      const query = cutText(parsed.data.query, TOOL_QUERY_MAX_CHARS)
      const { search } = await import('./run-search.ts')
      return search(catalog.value, query)
    },
  }),
}

export const CATALOG_UNREADABLE =
  'The tools cannot be looked up right now. Try once more; if it fails again, continue without them.'
