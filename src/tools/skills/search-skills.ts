// search_skills: finds skills that were left out of the prompt's list for lack of space. Ranks only skills that this run
// may see.

import * as z from 'zod'
import { escapedLine } from '../../lib/framework-tags.ts'
import { cutText } from '../../lib/text.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { MATCH_QUERY_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
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
    'Searches all available skills by their names, descriptions, tags and contents, and returns the best five with their locations. ' +
    'Use it when no listed skill fits a task, before doing the task without one. Use technical terms instead of the ' +
    "user's: name the object, the action, file formats and products as an expert would. " +
    'When no result fits, search again with different terms.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .describe(
        'Keywords in English, whatever language the user writes: technical terms and synonyms, such as "invoice pdf data extraction table". ' +
          '"select:name-a,name-b" returns skills by their full names. "+part words" returns only skills whose name contains that part ' +
          '(descriptions do not count), ranked by the words.',
      ),
  }),
  effect: 'read',
  run: async ({ skills }, { query }) => {
    // A list of names may be long. In a search, terms beyond this limit would not change the result.
    const text = /^\s*select\s*:/i.test(query)
      ? query.slice(0, MATCH_QUERY_MAX_CHARS)
      : cutText(query, SEARCH_QUERY_MAX_CHARS)
    const hits = rankSkills(skills.list(), text)
    const parsedQuery = readQuery(text)
    const missingLines =
      parsedQuery?.form === 'select' ? missingNameLines(parsedQuery.names, hits, skills) : []
    const isKeywordSearch = parsedQuery?.form === 'rank' && parsedQuery.requiredParts.length === 0
    const parts = [
      ...hits.map((hit) => formatSkill(hit.entry)),
      ...(missingLines.length > 0 ? [missingLines.join('\n')] : []),
      ...(hits.length > 0 && isKeywordSearch
        ? [hits.some(({ fits }) => fits) ? SEARCH_AGAIN_HINT : POOR_MATCHES_HINT]
        : []),
    ]
    return { content: parts.length > 0 ? parts.join('\n\n') : noMatchMessage(query), isError: false }
  },
})

/** One line for each missing name. Their number is limited, because each suggestion compares all names. */
function missingNameLines(
  names: readonly string[],
  hits: readonly SearchHit[],
  skills: SkillAccess,
): readonly string[] {
  const foundNames = new Set(hits.map(({ entry }) => entry.name))
  const missing = names.filter((name) => !foundNames.has(name))
  if (missing.length === 0) return []
  const visible = skills.list().map(({ name }) => name)
  const lines = missing
    .slice(0, SEARCH_RESULTS_MAX)
    .map((name) => skills.off(name) ?? `There is no skill ${quoted(name)}.${didYouMean(name, visible)}`)
  const omittedCount = missing.length - lines.length
  return [
    ...lines.map(escapedLine),
    ...(omittedCount > 0 ? [`${omittedCount} more of these names do not exist.`] : []),
  ]
}

// A second search with other terms usually finds what the first search missed (docs/benchmarks.md), so the result
// suggests it.
const SEARCH_AGAIN_HINT =
  'If none of these fits the task, search once more with different terms before you do it without a skill.'

const POOR_MATCHES_HINT =
  'None of these fits well: each matches little of your query. Search once more with different terms. If that finds nothing better, do the task without a skill.'

function noMatchMessage(query: string): string {
  const shownQuery = cutText(escapedLine(query), SEARCH_QUERY_MAX_CHARS)
  return `No skills matched: ${shownQuery}\nSearch again with different terms in English, such as the technical term, a synonym or the product, or use select:name for a skill whose name you know. If nothing fits, do the task without a skill.`
}

function joinValues(values: readonly string[]): string {
  return values.length > 0 ? escapedLine(values.join(', ')) : '(none)'
}

function formatSkill(entry: IndexEntry): string {
  return [
    `## Skill: ${escapedLine(entry.name)}`,
    `- Description: ${escapedLine(entry.description)}`,
    ...(entry.tags.length > 0 ? [`- Tags: ${joinValues(entry.tags)}`] : []),
    ...(entry.allowed_tools ? [`- Allowed tools: ${joinValues(entry.allowed_tools)}`] : []),
    `- Location: ${escapedLine(locationOf(entry))}`,
  ].join('\n')
}
