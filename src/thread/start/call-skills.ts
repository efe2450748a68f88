// Skills that a person calls with a message: found in the catalog that the run is pinned to, read before the run begins,
// and put behind the message in the block that begins it.

import { firstText, type Block } from '../../agent/message.ts'
import { calledSkills } from '../../agent/prompt.ts'
import { defuseTags, escapeXml } from '../../lib/framework-tags.ts'
import { fail, ok, type Failure, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { CALLED_REQUEST_CHARS } from '../../limits/skills.ts'
import type { LiveCatalog, SkillIndex } from '../../skills/skill.ts'
import type { LoadedSkill } from '../../skills/view/access.ts'
import { takesArguments } from '../../skills/view/body-text.ts'
import { calledSkill, slashCommands, type SkillCall } from '../../skills/view/slash.ts'
import { loadedNote, wrappedText } from '../../skills/view/wrap.ts'
import type { ThreadPorts } from '../parts.ts'
import type { SkillLoad, SkillLoads } from '../rows/skill-loads.ts'

export interface Called {
  readonly call: SkillCall
  /** The failure is for the sender; where the run begins all the same, its words are for the model. */
  readonly skill: Result<LoadedSkill>
}

/** What the called skills are in this catalog. Each is read live, as `load_skill` would. */
export async function callSkills(
  out: Pick<ThreadPorts, 'skills'>,
  workspace: string,
  pinned: { readonly live: LiveCatalog; readonly index: SkillIndex },
  allow: readonly string[] | null,
  calls: readonly SkillCall[],
): Promise<readonly Called[]> {
  if (calls.length === 0) return []
  const audience = { allow, invoked: calls.map(({ name }) => name) }
  const { live, index } = pinned
  // What is live was asked a moment ago: that answer is what this run is pinned to.
  const access = out.skills(workspace, index, live.version, audience, async () => ok(live))
  return Promise.all(
    calls.map(async (call): Promise<Called> => {
      const may = calledSkill(index, allow, call.name)
      if (!may.ok) return { call, skill: refused(call, may.error) }
      const loaded = await access.load(call.name)
      return { call, skill: loaded.ok ? loaded : unreadable(call) }
    }),
  )
}

function refused(call: SkillCall, why: string): { readonly ok: false; readonly error: Failure } {
  const fix = call.via === 'slash' ? ' To send the text as it is, begin it with a blank.' : ''
  return fail('invalid_request', `${why}${fix}`, { errors: [{ path: call.path, message: why }] })
}

function unreadable(call: SkillCall): { readonly ok: false; readonly error: Failure } {
  const why = `Skill '${call.name}' cannot be read right now. Send the message again in a moment.`
  return fail('catalog_broken', why, { errors: [{ path: call.path, message: why }], retryAfterS: 2 })
}

export interface CalledParts {
  /** Behind the message: a block a skill whose instructions are not there yet, then one that says what they are for. */
  readonly blocks: readonly Block[]
  readonly loads: readonly SkillLoad[]
}

/** Waits for nothing. What went away while a run stood in line is a line for the model, not the end of the run. */
export function calledParts(
  ledger: Pick<SkillLoads, 'stands'>,
  allow: readonly string[] | null,
  { index, called }: { readonly index: SkillIndex; readonly called: readonly Called[] },
  message: readonly Block[],
): CalledParts {
  if (called.length === 0) return { blocks: [], loads: [] }
  // What the person wrote behind the names: the message itself where it names none.
  const { rest } = slashCommands(firstText(message))
  const given: LoadedSkill[] = []
  const notes: string[] = []
  const loads: SkillLoad[] = []
  for (const { call, skill } of called) {
    // Asked again for this thread's own list: another request may have made the thread meanwhile.
    const may = calledSkill(index, allow, call.name)
    if (!skill.ok || !may.ok) {
      notes.push(
        `Skill "${escapeXml(call.name)}" was called, too, and is not available now. Say so in your answer.`,
      )
      continue
    }
    const { name, category, digest } = skill.value.entry
    // Filled in, they are the instructions of this message alone: sent each time, and never what "is already loaded".
    const filled = takesArguments(skill.value.body)
    const stands = !filled && ledger.stands({ name, category, digest })
    if (stands) notes.push(loadedNote({ name, digest }))
    else given.push(skill.value)
    loads.push({ name, category, digest, via: call.via, body: !stands && !filled })
  }
  const text = calledSkills({
    given: given.map(({ entry }) => escapeXml(entry.name)),
    said: notes,
    request: called.some(({ call }) => call.via === 'slash') ? requestOf(rest) : null,
  })
  const texts = [...given.map((skill) => wrappedText(skill, rest)), text]
  return { blocks: texts.map((words) => ({ type: 'text', text: words })), loads }
}

/** Made harmless. Long texts are not sent twice. */
function requestOf(rest: string): string {
  const head = cutText(rest, CALLED_REQUEST_CHARS)
  return defuseTags(head) + (head === rest ? '' : ' [It goes on in the message above.]')
}
