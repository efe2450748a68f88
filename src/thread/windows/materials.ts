// Reads from a thread's rows what the opening of its next window may contain. Shortens nothing.

import { textOf } from '../../agent/message.ts'
import type { EarlierMessage, OpeningParts, SkillInUse } from '../../agent/opening.ts'
import { planText } from '../../agent/todos.ts'
import { messageText } from '../../agent/render-messages.ts'
import { fullPath } from '../../files/path.ts'
import { rfc3339 } from '../../lib/clock.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { wrappedText } from '../../skills/view/wrap.ts'
import { STEP_BLOCK_MAX_CHARS, USER_MESSAGES_READ_MAX } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import type { SkillVersion } from '../rows/skill-loads.ts'
import { STEERED_SQL } from '../rows/message-row.ts'
import { readStored } from '../rows/stored-json.ts'

/** What people wrote in this thread before message number `before`, newest first, and how many more there are. */
function userMessages(
  sql: SqlStorage,
  before: number,
): { readonly messages: readonly EarlierMessage[]; readonly more: number } {
  // Payloads of hooks are not the words of a person, and withdrawn messages were never read.
  const rows = sql
    .exec<{ id: string; at: number; input: string }>(
      `SELECT messages.id AS id, created_at AS at, input FROM messages JOIN asks
         ON asks.id = iif(kind IN (${STEERED_SQL}), messages.id, run_id)
       WHERE (seq IN (SELECT min(seq) FROM messages GROUP BY run_id) OR kind IN (${STEERED_SQL}))
         AND seq < ? AND role = 'user'
         AND content <> '[]' AND json_extract(input, '$.fenced') = 0 ORDER BY seq DESC`,
      before,
    )
    .toArray()
  const messages = rows.slice(0, USER_MESSAGES_READ_MAX).map(({ id, at, input }) => {
    const content = readStored<Run['ask']>(input)?.message ?? []
    const images = content.filter(({ type }) => type === 'image').length
    const text = textOf({ role: 'user', content }) + (images === 0 ? '' : `\n[with images: ${images}]`)
    return { id, at: rfc3339(at), text }
  })
  return { messages, more: rows.length - messages.length }
}

/** The steps of the window before message number `before` as text, newest first: a response and its results each. */
function steps({ transcript }: Parts<'transcript'>, before: number): readonly string[] {
  const texts: string[] = []
  for (const { seq, ...message } of transcript.windowMessages()) {
    if (seq >= before) break
    const text = messageText(message, { blockMaxChars: STEP_BLOCK_MAX_CHARS })
    if (text === '') continue
    if (message.content[0]?.type === 'tool_result' && texts.length > 0)
      texts.push(`${texts.pop() ?? ''}\n${text}`)
    else texts.push(text)
  }
  return texts.toReversed()
}

/** A skill in use, in the version of the run's catalog. */
type AttachedSkill = SkillInUse & SkillVersion

/** The skills whose instructions the model has, newest first. Those that the run may no longer use are left out. */
async function skillsInUse(
  { loads }: Parts<'loads'>,
  skills: SkillAccess,
): Promise<readonly AttachedSkill[]> {
  const names = [...loads.namesInContext()].toReversed()
  const loaded = await Promise.all(names.map((name) => skills.load(name)))
  return loaded.flatMap((skill) => {
    if (!skill.ok) return []
    const { name, category, digest } = skill.value.entry
    return [{ name, category, digest, text: wrappedText(skill.value, null) }]
  })
}

type Materials = Omit<OpeningParts, 'skills' | 'tools'> & { readonly skills: readonly AttachedSkill[] }

/** `before`: the number of the first message that the new window will contain itself. */
export async function materials(
  thread: Parts<'ctx' | 'row' | 'files' | 'loads' | 'transcript'>,
  skills: SkillAccess,
  before: number,
  isOpen: boolean,
  summary: string,
): Promise<Materials> {
  const { messages, more } = userMessages(thread.ctx.storage.sql, before)
  const files = thread.files
    .list()
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ path, bytes, updatedAt }) => ({ path: fullPath(path), bytes, changedAt: rfc3339(updatedAt) }))
  return {
    messages,
    moreMessages: more,
    isOpen,
    summary,
    plan: planText(thread.row.data.todos),
    skills: await skillsInUse(thread, skills),
    files,
    steps: steps(thread, before),
  }
}
