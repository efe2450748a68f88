// `npm run skills:match -- "text"`: shows which skills a text would suggest, and why. Searches the running server, or local
// folders with `--skills`. Calls no model. Exit status: 0 done, even without a match; 1 the request failed; 2 wrong
// arguments.

import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { systemClock } from '../src/lib/clock.ts'
import { err, ok, type Result } from '../src/lib/result.ts'
import { MATCH_RESULTS_MAX } from '../src/api/routes/limits.ts'
import { SEARCH_RESULTS_MAX } from '../src/limits/skills.ts'
import { rankSkills, type Reason } from '../src/skills/search/rank.ts'
import { locationOf } from '../src/skills/skill.ts'
import { EVERYBODY, visibleSkills } from '../src/skills/view/visibility.ts'
import { makeBuild } from './build/build.ts'
import { openCache } from './build/cache.ts'
import { onlyErrors, outcomeLines } from './build/report.ts'
import { shownPath } from './lib/shown-path.ts'
import { DEFAULT_PORT } from './lib/limits.ts'
import { command, complain } from './lib/command.ts'
import { counted } from '../src/lib/counted.ts'
import { findMissingFolder } from './lib/folders.ts'
import { serverFor } from './lib/secret.ts'
import { explainFailure, KEY_HELP, type Server } from './lib/server.ts'
import { harmlessLine, paint } from './lib/terminal.ts'

const USAGE = `npm run skills:match -- "text" [options]

  --url URL      the server to search (default: SATCHEL_URL, otherwise port PORT or ${DEFAULT_PORT} on this machine)
  --key K        ${KEY_HELP}
  --skills DIR   search the project's own skills and those in DIR instead of a server (repeatable)
  --limit N      show at most N skills, up to ${MATCH_RESULTS_MAX} (default: ${SEARCH_RESULTS_MAX})
  --json         print one JSON object, the response of POST /v1/skills/match

The text is a task in the words of a user. "select:a,b" and "+part words" work as in search_skills.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The fields of a match that are printed. A server's response has more fields. */
interface Match {
  readonly skill: { readonly name: string; readonly description: string; readonly location: string }
  readonly score: number
  readonly why: readonly Reason[]
}

interface Matches {
  readonly data: readonly Match[]
}

interface MatchOutcome {
  readonly matches: Matches
  /** The source of the matches, for display. */
  readonly source: string
}

async function searchFolders(
  dirs: readonly string[],
  text: string,
  limit: number,
): Promise<Result<MatchOutcome, string>> {
  const missing = findMissingFolder(dirs)
  if (missing !== null) return err(missing)
  const cache = await openCache(join(ROOT, 'dist/skills/match-cache.json'), systemClock)
  const folders = [...new Set([join(ROOT, 'skills'), ...dirs.map((directory) => resolve(directory))])]
  const outcome = await makeBuild(folders, false, cache)
  await cache.save()
  // Reports errors, because skills with errors cannot match.
  for (const line of outcomeLines(onlyErrors(outcome), process.cwd(), false)) complain(line)
  const visible = visibleSkills(outcome.build.index, EVERYBODY)
  const data = rankSkills(visible, text, limit).map(({ entry, score, why }) => ({
    skill: { name: entry.name, description: entry.description, location: locationOf(entry) },
    score: Math.round(score * 1_000) / 1_000,
    why,
  }))
  const names = folders.map((folder) => shownPath(folder, process.cwd())).join(', ')
  return ok({
    matches: { data },
    source: `${counted(visible.length, 'skill')} in ${names}, as they are on this disk`,
  })
}

async function searchServer(
  { client, url }: Server,
  text: string,
  limit: number,
): Promise<Result<MatchOutcome, string>> {
  const answer = await client.json<Matches>('POST', '/v1/skills/match', { text, limit })
  return answer.ok
    ? ok({ matches: answer.value.body, source: `the live catalog of ${url}` })
    : err(explainFailure(answer.error, url))
}

/** A list of the skills, each with its score, the matching words and its description. */
function formatMatches({ data }: Matches): string {
  if (data.length === 0) return 'No skill matches. Try other words, or English words.'
  return data
    .map(({ skill, score, why }, index) => {
      const reasons = why.map(({ term, field }) => `${harmlessLine(term)} (${field})`).join(', ')
      return [
        `${index + 1}. ${paint('bold', harmlessLine(skill.name))}  ${score.toFixed(2)}  ${paint('dim', harmlessLine(skill.location))}`,
        `   ${paint('green', reasons)}`,
        `   ${harmlessLine(skill.description)}`,
      ].join('\n')
    })
    .join('\n')
}

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      skills: { type: 'string', multiple: true, default: [] },
      limit: { type: 'string', default: String(SEARCH_RESULTS_MAX) },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
    },
  },
  async ({ values: flags, positionals }) => {
    const text = positionals.join(' ').trim()
    if (text === '') return 'The text is missing. Write a task as an argument.'
    const limit = /^\d{1,3}$/.test(flags.limit) ? Number(flags.limit) : 0
    if (limit < 1 || limit > MATCH_RESULTS_MAX)
      return `--limit ${flags.limit}: Use a number from 1 to ${MATCH_RESULTS_MAX}.`
    const isLocal = flags.skills.length > 0
    if (isLocal && flags.url !== undefined)
      return 'Use either --skills, which searches local folders, or --url, which searches a server, not both.'
    const server = isLocal ? null : await serverFor(ROOT, process.env, flags)
    if (server?.ok === false) return server.error
    const outcome =
      server === null
        ? await searchFolders(flags.skills, text, limit)
        : await searchServer(server.value, text, limit)
    if (!outcome.ok) {
      complain(outcome.error)
      return 1
    }
    const { matches, source } = outcome.value
    if (flags.json) console.log(JSON.stringify(matches, null, 2))
    else console.log(`${formatMatches(matches)}\n${paint('dim', harmlessLine(`Searched: ${source}.`))}`)
    return 0
  },
)
