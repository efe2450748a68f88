// search_skills: finds skills that the list in the prompt has no room for. Shows what it is handed, nothing else.

import * as z from 'zod'
import type { Tool } from '../agent/tool.ts'
import { cutText, escapeXml, stripInvisible } from '../lib/text.ts'
import { SEARCH_QUERY_MAX_CHARS, TOOL_TIMEOUT_MS } from '../limits.ts'
import type { Hit } from '../skills/search/rank.ts'
import { locationOf, type IndexEntry } from '../skills/skill.ts'
import { specOf, withInput } from './input.ts'

const Input = z.strictObject({
  query: z
    .string()
    .min(1)
    .describe(
      'Key words in English with synonyms, whatever language the user writes: "invoice bill pdf extract table". ' +
        '"select:name-a,name-b" gives skills by name; "+part words" only those whose name has that part.',
    ),
})

const SPEC = specOf(
  'search_skills',
  'Searches all available skills by their names, descriptions, tags and contents, and gives the best five with their locations. ' +
    'Use it when no listed skill fits a task, before doing the task without one. Describe the task in English key words: ' +
    'the thing, the action, file formats and products, and other words for them.',
  Input,
)

/** `search` ranks over what this run may see, as `rankSkills` does. */
export function searchSkills(search: (query: string) => Promise<readonly Hit[]>): Tool {
  return {
    spec: SPEC,
    effect: 'read',
    timeoutMs: TOOL_TIMEOUT_MS,
    run: (input) =>
      withInput(Input, input, async ({ query }) => {
        // A list of names may be long; other words past this tell no more of a task.
        const asked = /^\s*select\s*:/i.test(query) ? query : cutText(query, SEARCH_QUERY_MAX_CHARS)
        const hits = await search(asked)
        const content = hits.length > 0 ? hits.map((hit) => shown(hit.entry)).join('\n\n') : nothing(query)
        return { content, isError: false }
      }),
  }
}

function nothing(query: string): string {
  const asked = cutText(shownLine(query), SEARCH_QUERY_MAX_CHARS)
  return `No skills matched: ${asked}\nTry other words for the same thing, in English; or select:name for a skill whose name you know. If nothing fits, do the task without a skill.`
}

/** One line that can neither begin a new entry nor hide or forge anything. */
function shownLine(text: string): string {
  return escapeXml(stripInvisible(text).replace(/\s+/g, ' ').trim())
}

function listed(values: readonly string[] | null): string {
  if (values === null) return '(not declared)'
  return values.length > 0 ? shownLine(values.join(', ')) : '(none)'
}

function shown(entry: IndexEntry): string {
  return [
    `## Skill: ${shownLine(entry.name)}`,
    `- Description: ${shownLine(entry.description)}`,
    ...(entry.tags.length > 0 ? [`- Tags: ${listed(entry.tags)}`] : []),
    `- Allowed tools: ${listed(entry.allowed_tools)}`,
    `- Location: ${shownLine(locationOf(entry))}`,
  ].join('\n')
}
