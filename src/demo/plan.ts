// Plans the demo model's next step: load a skill, read a file that the skill names, or answer from what was read. Pure and
// deterministic. files.ts plans work on attached files, tool.ts calls of HTTP tools.

import { cutText } from '../lib/text.ts'
import { asList, asObject } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { FILE_TOOLS, planFiles } from './files.ts'
import { planTool } from './tool.ts'
import { readSkillIndex, readTurn, applySkillNotices } from './read.ts'
import type { DemoSkill, ToolResult, DemoTurn } from './read.ts'
import { summarizeSkill } from './skill-answer.ts'
import { bestSkill } from './similarity.ts'
import type { SkillCard } from './similarity.ts'

export interface DemoPlan {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

const REFERENCES_MAX = 2
const NAMES_SHOWN_MAX = 12
const QUERY_MAX_CHARS = 200
const EXCERPT_MAX_CHARS = 480

/** Only in answers that have nothing to quote. Other answers are marked by their model, which the page and the receipt name. */
const WHO = 'Hello. I am the demo model: I match words, load skills and quote files, but I do not reason.'

/** Plans one step from the body of a Messages API request. */
export function planStep(request: Json): DemoPlan {
  const skills = applySkillNotices(readSkillIndex(request['system']), request['messages'])
  const turn = readTurn(request['messages'])
  const tools = asObject(request['tool_choice'])?.['type'] === 'none' ? [] : asList(request['tools'])
  const hasTool = (name: string): boolean => tools.some((tool) => asObject(tool)?.['name'] === name)

  const toolStep = planTool(
    turn,
    tools.map(asObject).filter((tool) => tool !== null),
  )
  if (toolStep !== null) return toolStep

  // A short question has few words to match, so add the types of the attached files.
  const questionWithTypes = [
    turn.question,
    ...turn.uploads.map(({ path }) => /\.\w+$/.exec(path)?.[0] ?? ''),
  ].join(' ')
  const loadResult = turn.toolResults.find((answer) => answer.tool === 'load_skill')
  const skill = currentSkill(turn, loadResult)
  const files = FILE_TOOLS.every(hasTool) ? planFiles(turn, hasTool('bash') ? skill : null) : null
  if (skill === null && loadResult === undefined) {
    const best = bestSkill(files === null ? turn.question : questionWithTypes, skills)
    if (best === null && files !== null) return files
    const searchResult = turn.toolResults.find((result) => result.tool === 'search_skills')
    if (best === null && searchResult === undefined && turn.question !== '' && hasTool('search_skills')) {
      const query = cutText(turn.question, QUERY_MAX_CHARS)
      const text = 'None of the listed skills shares words with that. I am searching the others.'
      return { text, calls: [{ name: 'search_skills', input: { query } }] }
    }
    const name = best?.name ?? firstHit(searchResult)
    if (name === null || !hasTool('load_skill')) return finalAnswer(introduce(skills, best))
    const text = `This looks like work for the skill ${name}. I'll load it.`
    return { text, calls: [{ name: 'load_skill', input: { name } }] }
  }
  if (files !== null) return files
  const reads = turn.toolResults.filter((result) => result.tool === 'read_file')
  if (skill !== null && reads.length === 0 && hasTool('read_file')) {
    const paths = referencePaths(skill, skills)
    const text = `${skill.name} points to ${paths.length === 1 ? "a reference. I'll read it." : "references. I'll read them."}`
    if (paths.length > 0)
      return { text, calls: paths.map((path) => ({ name: 'read_file', input: { path } })) }
  }
  return finalAnswer(skill === null ? describeLoadResult(loadResult) : summarizeSkill(skill, reads))
}

function finalAnswer(text: string): DemoPlan {
  return { text, calls: [] }
}

/** The name of the first search result, or null if the search found nothing. */
function firstHit(searchResult: ToolResult | undefined): string | null {
  if (searchResult === undefined || searchResult.isError) return null
  return /^## Skill: (\S+)/m.exec(searchResult.text)?.[1] ?? null
}

/**
 * The skill to work with: the one loaded in this turn, or an earlier one if loading it again returned only a short note.
 */
function currentSkill(turn: DemoTurn, loadResult: ToolResult | undefined): DemoSkill | null {
  const loadedSkill = turn.loadedSkills[0]
  if (loadedSkill !== undefined) return loadedSkill
  if (loadResult === undefined || loadResult.isError) return null
  return turn.allSkills.findLast((skill) => skill.name === loadResult.input['name']) ?? null
}

/** The paths of references that the skill's body names and that exist in the skill. */
function referencePaths(skill: DemoSkill, skills: readonly SkillCard[]): readonly string[] {
  const listedLocation = skills.find((card) => card.name === skill.name)?.location ?? ''
  const root = skill.root || listedLocation.replace(/\/SKILL\.md$/i, '') || `/mnt/skills/custom/${skill.name}`
  const paths = new Set<string>()
  for (const match of skill.text.matchAll(/references\/[\w./-]*\w/g))
    if (skill.files.includes(match[0])) paths.add(match[0])
  return [...paths].slice(0, REFERENCES_MAX).map((path) => `${root}/${path}`)
}

function introduce(skills: readonly SkillCard[], best: SkillCard | null): string {
  if (skills.length === 0) return `${WHO} There are no skills here, so there is nothing to load.`
  const names = skills.slice(0, NAMES_SHOWN_MAX).map((skill) => `- ${skill.name}`)
  const omitted = skills.length > names.length ? [`- and ${skills.length - names.length} more`] : []
  const list = [...names, ...omitted].join('\n')
  return best === null
    ? `${WHO}\n\nNone of my skills shares words with your message. Ask for something that one of them does, or attach a file:\n\n${list}`
    : `The skill ${best.name} fits, but I may not call any tools right now. My skills:\n\n${list}`
}

function describeLoadResult(loadResult: ToolResult | undefined): string {
  if (loadResult === undefined) return 'There was nothing to load.'
  const name = JSON.stringify(loadResult.input['name'] ?? '')
  const excerpt = cutText(loadResult.text.trim(), EXCERPT_MAX_CHARS)
  return loadResult.isError
    ? `I wanted the skill ${name}, but it could not be loaded: ${excerpt}`
    : `I asked for the skill ${name} and got this result: ${excerpt}`
}
