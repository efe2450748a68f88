// Skills that a person calls with a message. They are looked up in the run's pinned catalog and read before
// the run begins, and appended to the message in the block that begins it.

import { firstText, type Block } from '../../agent/message.ts'
import { calledSkills } from '../../agent/prompt.ts'
import { defuseTags, escapeXml } from '../../lib/framework-tags.ts'
import { fail, ok, type Failure, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { CALLED_REQUEST_MAX_CHARS } from '../../limits/skills.ts'
import type { LiveCatalog, SkillIndex } from '../../skills/skill.ts'
import type { LoadedSkill } from '../../skills/view/access.ts'
import { takesArguments } from '../../skills/view/body-text.ts'
import { calledSkill, slashCommands, type SkillCall } from '../../skills/view/slash.ts'
import { loadedNote, wrappedText } from '../../skills/view/wrap.ts'
import type { ThreadPorts } from '../parts.ts'
import type { SkillLoad, SkillLoads } from '../rows/skill-loads.ts'

export interface CalledSkill {
  readonly call: SkillCall
  /** A failure is returned to the sender. If the run begins anyway, the model gets a note instead. */
  readonly skill: Result<LoadedSkill>
}

/**
 * Looks up the called skills in this catalog. Each is checked against the live catalog, as in `load_skill`.
 */
export async function callSkills(
  ports: Pick<ThreadPorts, 'skills'>,
  workspace: string,
  pinned: { readonly live: LiveCatalog; readonly index: SkillIndex },
  allow: readonly string[] | null,
  calls: readonly SkillCall[],
): Promise<readonly CalledSkill[]> {
  if (calls.length === 0) return []
  const audience = { allow, invoked: calls.map(({ name }) => name) }
  const { live, index } = pinned
  // The live catalog was read a moment ago, and the run is pinned to that result.
  const access = ports.skills(workspace, index, live.version, audience, async () => ok(live))
  return Promise.all(
    calls.map(async (call): Promise<CalledSkill> => {
      const allowed = calledSkill(index, allow, call.name)
      if (!allowed.ok) return { call, skill: refused(call, allowed.error) }
      const loaded = await access.load(call.name)
      return { call, skill: loaded.ok ? loaded : unreadable(call) }
    }),
  )
}

function refused(call: SkillCall, why: string): { readonly ok: false; readonly error: Failure } {
  const fix = call.via === 'slash' ? ' To send the text unchanged, start it with a space.' : ''
  return fail('invalid_request', `${why}${fix}`, { errors: [{ path: call.path, message: why }] })
}

function unreadable(call: SkillCall): { readonly ok: false; readonly error: Failure } {
  const why = `Skill '${call.name}' cannot be read right now. Send the message again in a moment.`
  return fail('catalog_broken', why, { errors: [{ path: call.path, message: why }], retryAfterS: 2 })
}

export interface CalledParts {
  /**
   * Blocks that follow the message: one for each skill whose instructions the model does not have yet, and
   * then one that introduces them.
   */
  readonly blocks: readonly Block[]
  readonly loads: readonly SkillLoad[]
}

/**
 * Never waits. If a skill disappeared while its run was queued, the model gets a note, and the run continues.
 */
export function calledParts(
  loadedSkills: Pick<SkillLoads, 'isCurrentVersion'>,
  allow: readonly string[] | null,
  { index, called }: { readonly index: SkillIndex; readonly called: readonly CalledSkill[] },
  message: readonly Block[],
): CalledParts {
  if (called.length === 0) return { blocks: [], loads: [] }
  // The text after the skill names, or the whole message if it names no skills.
  const { rest } = slashCommands(firstText(message))
  const newSkills: LoadedSkill[] = []
  const notes: string[] = []
  const loads: SkillLoad[] = []
  for (const { call, skill } of called) {
    // This is checked again against the thread's list of allowed skills: another request may have created the
    // thread meanwhile.
    const allowed = calledSkill(index, allow, call.name)
    if (!skill.ok || !allowed.ok) {
      notes.push(
        `Skill "${escapeXml(call.name)}" was also called, but is not available now. Say so in your answer.`,
      )
      continue
    }
    const { name, category, digest } = skill.value.entry
    // With arguments filled in, the instructions belong only to this message: they are sent each time and
    // never recorded as loaded.
    const hasArguments = takesArguments(skill.value.body)
    const isCurrentVersion = !hasArguments && loadedSkills.isCurrentVersion({ name, category, digest })
    if (isCurrentVersion) notes.push(loadedNote({ name, digest }))
    else newSkills.push(skill.value)
    loads.push({ name, category, digest, via: call.via, body: !isCurrentVersion && !hasArguments })
  }
  const text = calledSkills({
    loadedNames: newSkills.map(({ entry }) => escapeXml(entry.name)),
    notes,
    request: called.some(({ call }) => call.via === 'slash') ? requestOf(rest) : null,
  })
  const texts = [...newSkills.map((skill) => wrappedText(skill, rest)), text]
  return { blocks: texts.map((text) => ({ type: 'text', text })), loads }
}

/** The escaped request. A long text is cut, because the message already contains it. */
function requestOf(rest: string): string {
  const head = cutText(rest, CALLED_REQUEST_MAX_CHARS)
  return defuseTags(head) + (head === rest ? '' : ' [It continues in the message above.]')
}
