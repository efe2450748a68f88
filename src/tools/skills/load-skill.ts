// load_skill: adds a skill's body to the conversation, and reports which of its scripts cannot run in the sandbox.

import * as z from 'zod'
import { escapeXml } from '../../lib/framework-tags.ts'
import { CHECKED_SCRIPT_MAX_BYTES, CHECKED_SCRIPTS_MAX } from './limits.ts'
import { checkScripts, compatibilityMessage, isScript } from '../../sandbox/compatibility/check-scripts.ts'
import type { LoadedSkill, SkillAccess } from '../../skills/view/access.ts'
import { wrapSkill } from '../../skills/view/wrap.ts'
import { builtin, errorResult, type ToolContext } from '../record/builtin.ts'

export const LOAD_SKILL = builtin({
  name: 'load_skill',
  aliases: ['skill'],
  group: 'skills',
  label: { icon: 'skill', now: 'Loading', past: 'Loaded', failed: 'Could not load', many: 'skills' },
  always: true,
  description:
    'Loads the instructions of one skill and lists its files. Call it before you start work that a skill covers.',
  input: z.strictObject({
    name: z.string().min(1).describe('The name of a skill from the list of available skills.'),
  }),
  effect: 'read',
  run: async ({ skills, sandbox }, { name }) => {
    const loaded = await skills.load(name)
    if (!loaded.ok) return errorResult(loaded.error)
    const { name: skillName, category, digest } = loaded.value.entry
    const { content, frame } = wrapSkill(loaded.value)
    const notes = await scriptNotes(loaded.value, skills, sandbox)
    return {
      content,
      frame: { ...frame, after: [frame.after, ...notes.map(escapeXml)].join('\n') },
      isError: false,
      notes: [{ type: 'skill', name: skillName, category, digest, via: 'tool', body: true }],
    }
  },
})

async function scriptNotes(
  { entry, files }: LoadedSkill,
  skills: SkillAccess,
  sandbox: ToolContext['sandbox'],
): Promise<readonly string[]> {
  const paths = files.map(({ path }) => path)
  const scripts = paths.filter(isScript).slice(0, CHECKED_SCRIPTS_MAX)
  if (scripts.length === 0) return []
  const unavailableReason = await sandbox.unavailableReason()
  if (unavailableReason !== null)
    return [
      `The scripts of this skill cannot run here (sandbox_unavailable: ${unavailableReason}), but you can read them.`,
    ]
  const read = await Promise.all(
    scripts.map(async (path) => {
      const file = await skills.read(entry.name, path, true)
      return file.ok
        ? [{ path, text: new TextDecoder().decode(file.value.bytes.subarray(0, CHECKED_SCRIPT_MAX_BYTES)) }]
        : []
    }),
  )
  return compatibilityMessage(checkScripts(read.flat(), paths, await sandbox.installed()))
}
