// Plans the demo model's next step: load a skill, read a file that the skill names, or answer from what was read. Pure and
// deterministic. files.ts plans work on attached files, tool.ts calls of tools from settings.

import { cutText } from '../lib/text.ts'
import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { FILE_TOOLS, planFiles } from './files.ts'
import type { FilesStep } from './files.ts'
import { planTool } from './tool.ts'
import { readIndex, readTurn, withNotices } from './read.ts'
import type { DemoSkill, ToolAnswer, DemoTurn } from './read.ts'
import { bestSkill } from './similarity.ts'
import type { SkillCard } from './similarity.ts'

export interface DemoPlan {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

const REFERENCES_AT_ONCE = 2
const NAMES_SHOWN = 12
const QUERY_CHARS = 200
const LINE_CHARS = 160

const ABOUT =
  'I am the demo model: I match words, load skills and quote what I read, but I do not reason. ' +
  'For real answers set ANTHROPIC_API_KEY: locally in `.dev.vars`, or for a deployed Worker with ' +
  '`wrangler secret put ANTHROPIC_API_KEY`.'

/** Plans one step from the body of a Messages API request. */
export function planStep(request: Json): DemoPlan {
  const skills = withNotices(readIndex(request['system']), request['messages'])
  const turn = readTurn(request['messages'])
  const tools = asObject(request['tool_choice'])?.['type'] === 'none' ? [] : asList(request['tools'])
  const has = (name: string): boolean => tools.some((tool) => asObject(tool)?.['name'] === name)

  const order = planTool(
    turn,
    tools.map(asObject).filter((tool) => tool !== null),
  )
  if (order !== null) return stepOf(order)

  // A short question has few words to match, so add the types of the attached files.
  const questionWithTypes = [
    turn.question,
    ...turn.uploads.map(({ path }) => /\.\w+$/.exec(path)?.[0] ?? ''),
  ].join(' ')
  const tried = turn.answers.find((answer) => answer.tool === 'load_skill')
  const skill = inHand(turn, tried)
  const files = FILE_TOOLS.every(has) ? planFiles(turn, has('bash') ? skill : null) : null
  if (skill === null && tried === undefined) {
    const best = bestSkill(files === null ? turn.question : questionWithTypes, skills)
    if (best === null && files !== null) return stepOf(files)
    const searched = turn.answers.find((result) => result.tool === 'search_skills')
    if (best === null && searched === undefined && turn.question !== '' && has('search_skills')) {
      const query = cutText(turn.question, QUERY_CHARS)
      const text = 'None of the listed skills shares words with that. I am searching the others.'
      return { text, calls: [{ name: 'search_skills', input: { query } }] }
    }
    const name = best?.name ?? firstHit(searched)
    if (name === null || !has('load_skill')) return answer(introduce(skills, best))
    const text = `This looks like work for the skill ${name}. I load it.`
    return { text, calls: [{ name: 'load_skill', input: { name } }] }
  }
  if (files !== null) return stepOf(files)
  const read = turn.answers.filter((result) => result.tool === 'read_file')
  if (skill !== null && read.length === 0 && has('read_file')) {
    const paths = references(skill, skills)
    const text = `${skill.name} points to ${paths.length === 1 ? 'a reference' : 'references'}. I read on.`
    if (paths.length > 0)
      return { text, calls: paths.map((path) => ({ name: 'read_file', input: { path } })) }
  }
  return answer(skill === null ? unloaded(tried) : report(skill, read))
}

function answer(text: string): DemoPlan {
  return { text: `${text}\n\n${ABOUT}`, calls: [] }
}

function stepOf({ text, calls }: FilesStep | DemoPlan): DemoPlan {
  return calls.length > 0 ? { text, calls } : answer(text)
}

/** The name of the first search result, or null if the search found nothing. */
function firstHit(searched: ToolAnswer | undefined): string | null {
  if (searched === undefined || searched.isError) return null
  return /^## Skill: (\S+)/m.exec(searched.text)?.[1] ?? null
}

/**
 * The skill to work with: the one loaded in this turn, or an earlier one if loading it again returned only a short note.
 */
function inHand(turn: DemoTurn, tried: ToolAnswer | undefined): DemoSkill | null {
  const now = turn.loaded[0]
  if (now !== undefined) return now
  if (tried === undefined || tried.isError) return null
  return turn.known.findLast((skill) => skill.name === tried.input['name']) ?? null
}

/** The paths of references that the skill's body names and that exist in the skill. */
function references(skill: DemoSkill, skills: readonly SkillCard[]): readonly string[] {
  const listed = skills.find((card) => card.name === skill.name)?.location ?? ''
  const root = skill.root || listed.replace(/\/SKILL\.md$/i, '') || `/mnt/skills/custom/${skill.name}`
  const named = new Set<string>()
  for (const match of skill.text.matchAll(/references\/[\w./-]*\w/g))
    if (skill.files.includes(match[0])) named.add(match[0])
  return [...named].slice(0, REFERENCES_AT_ONCE).map((path) => `${root}/${path}`)
}

function introduce(skills: readonly SkillCard[], best: SkillCard | null): string {
  if (skills.length === 0) return 'Hello. I have no skills here, so there is nothing to load.'
  const names = skills.slice(0, NAMES_SHOWN).map((skill) => skill.name)
  const more = skills.length > names.length ? ` and ${skills.length - names.length} more` : ''
  const list = `${names.join(', ')}${more}`
  return best === null
    ? `Hello. None of my skills shares words with that. My skills: ${list}. Ask for something that one of them does.`
    : `The skill ${best.name} fits, but I may not call any tools right now. My skills: ${list}.`
}

function unloaded(tried: ToolAnswer | undefined): string {
  if (tried === undefined) return 'There was nothing to load.'
  const name = JSON.stringify(tried.input['name'] ?? '')
  const excerpt = cutText(tried.text.trim(), 3 * LINE_CHARS)
  return tried.isError
    ? `I wanted the skill ${name}, but it could not be loaded: ${excerpt}`
    : `I asked for the skill ${name} and got this result: ${excerpt}`
}

/** The text after `mark` in each matching line. read_file may have numbered the lines. */
function lines(text: string, mark: RegExp, most: number): readonly string[] {
  const found: string[] = []
  for (const line of text.split('\n')) {
    const match = mark.exec(line.replace(/^\s*\d+[\t|→]\s?/, ''))
    const content = match?.[1]?.replace(/[*_`]/g, '').trim() ?? ''
    if (content !== '') found.push(cutText(content, LINE_CHARS))
    if (found.length === most) break
  }
  return found
}

/** Skips a heading's number, which would start a nested list. */
const HEADING = /^#{1,4}\s+(?:\d+[.)]\s+)?(.+)/
const STEP = /^\s{0,3}(?:\d+[.)]|[-*])\s+(.+)/

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function report(skill: DemoSkill, read: readonly ToolAnswer[]): string {
  const parts = [`I answer from the skill ${skill.name}.`]
  const headings = lines(skill.text, HEADING, 5)
  if (headings.length > 0) parts.push(`Its sections:\n${bullets(headings)}`)
  const steps = lines(skill.text, STEP, 3)
  if (steps.length > 0) parts.push(`It says to start like this:\n${bullets(steps)}`)
  for (const { input, text, isError } of read) {
    const path = asText(input['path']) || 'A file'
    const excerpt = lines(text, HEADING, 4)
    if (isError) parts.push(`${path} could not be read: ${cutText(text.trim(), 2 * LINE_CHARS)}`)
    else if (excerpt.length > 0) parts.push(`${path} covers:\n${bullets(excerpt)}`)
    else parts.push(`${path} begins: ${lines(text, /(\S.*)/, 1)[0] ?? 'with nothing'}`)
  }
  return parts.join('\n\n')
}
