// search_skills: finds skills that the list in the prompt has no room for. Ranks what this run may see, nothing else.

import * as z from 'zod'
import { escapeXml } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { MATCH_TEXT_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
import { SEARCH_QUERY_MAX_CHARS } from './limits.ts'
import { quoted } from '../../skills/format/finding.ts'
import { readQuery } from '../../skills/search/query.ts'
import { rankSkills, type SearchHit } from '../../skills/search/rank.ts'
import { locationOf, type IndexEntry } from '../../skills/skill.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { builtin } from '../record/builtin.ts'

export const SEARCH_SKILLS = builtin({
  name: 'search_skills',
  group: 'skills',
  label: {
    icon: 'search',
    now: 'Looking for skills:',
    past: 'Looked for skills:',
    failed: 'Found no skills:',
    many: 'words',
  },
  always: true,
  includedIf: ({ describesAll }) => !describesAll,
  description:
    'Searches all available skills by their names, descriptions, tags and contents, and gives the best five with their locations. ' +
    'Use it when no listed skill fits a task, before doing the task without one. Ask in the words of the trade, not in those ' +
    'of the user: the technical terms for the thing and the action, file formats and products by name. ' +
    'When no answer fits, search again with other terms.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .describe(
        'Key words in English, whatever language the user writes, technical terms and synonyms: "invoice pdf data extraction table". ' +
          '"select:name-a,name-b" gives skills by their whole names; "+part words" only skills whose name holds that part ' +
          '(the part is not looked for in descriptions), the words rank them.',
      ),
  }),
  effect: 'read',
  run: async ({ skills }, { query }) => {
    // A list of names may be long; other words past this tell no more of a task.
    const text = /^\s*select\s*:/i.test(query)
      ? query.slice(0, MATCH_TEXT_MAX_CHARS)
      : cutText(query, SEARCH_QUERY_MAX_CHARS)
    const hits = rankSkills(skills.list(), text)
    const asked = readQuery(text)
    const missing = asked?.form === 'select' ? notThere(asked.names, hits, skills) : []
    const free = asked?.form === 'rank' && asked.musts.length === 0
    const parts = [
      ...hits.map((hit) => shown(hit.entry)),
      ...(missing.length > 0 ? [missing.join('\n')] : []),
      ...(hits.length > 0 && free ? [hits.some(({ fits }) => fits) ? AGAIN : POOR] : []),
    ]
    return { content: parts.length > 0 ? parts.join('\n\n') : nothing(query), isError: false }
  },
})

/** A line each for the first names that nothing here has; to look for close ones takes a walk through all names. */
function notThere(
  names: readonly string[],
  hits: readonly SearchHit[],
  skills: SkillAccess,
): readonly string[] {
  const found = new Set(hits.map(({ entry }) => entry.name))
  const missing = names.filter((name) => !found.has(name))
  if (missing.length === 0) return []
  const visible = skills.list().map(({ name }) => name)
  const lines = missing
    .slice(0, SEARCH_RESULTS_MAX)
    .map((name) => skills.off(name) ?? `There is no skill ${quoted(name)}.${didYouMean(name, visible)}`)
  const more = missing.length - lines.length
  return [...lines.map(shownLine), ...(more > 0 ? [`${more} more of these names are not there.`] : [])]
}

// The ranking puts something first whether it fits or not, and a second search in other terms mostly finds what the first
// missed: the model needs to know that where it decides.
const AGAIN =
  'If none of these fits the task, search once more with other terms for it before you do it without a skill.'

const POOR =
  'None of these fits well: each has little of what you asked for. Search once more with other terms, and if that finds nothing better, do the task without a skill.'

function nothing(query: string): string {
  const asked = cutText(shownLine(query), SEARCH_QUERY_MAX_CHARS)
  return `No skills matched: ${asked}\nSearch again with other words for it, in English: the technical term, a synonym, the product; or select:name for a skill whose name you know. If nothing fits, do the task without a skill.`
}

/** One line that can neither begin a new entry nor hide or forge anything. */
function shownLine(text: string): string {
  return escapeXml(stripInvisible(text).replace(/\s+/g, ' ').trim())
}

function listed(values: readonly string[]): string {
  return values.length > 0 ? shownLine(values.join(', ')) : '(none)'
}

function shown(entry: IndexEntry): string {
  return [
    `## Skill: ${shownLine(entry.name)}`,
    `- Description: ${shownLine(entry.description)}`,
    ...(entry.tags.length > 0 ? [`- Tags: ${listed(entry.tags)}`] : []),
    ...(entry.allowed_tools ? [`- Allowed tools: ${listed(entry.allowed_tools)}`] : []),
    `- Location: ${shownLine(locationOf(entry))}`,
  ].join('\n')
}
