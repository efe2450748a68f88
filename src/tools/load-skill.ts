// load_skill: brings a skill's body into the conversation.

import * as z from 'zod'
import type { Tool } from '../agent/tool.ts'
import { TOOL_TIMEOUT_MS } from '../limits.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { wrapSkill } from '../skills/view/wrap.ts'
import { errorResult, specOf, withInput } from './input.ts'

const Input = z.strictObject({
  name: z.string().min(1).describe('The name of a skill, as the list of available skills gives it.'),
})

const SPEC = specOf(
  'load_skill',
  'Loads the instructions of one skill and lists its files. Call it before doing work that a skill covers.',
  Input,
)

export function loadSkill(skills: SkillAccess): Tool {
  return {
    spec: SPEC,
    effect: 'read',
    timeoutMs: TOOL_TIMEOUT_MS,
    run: (input) =>
      withInput(Input, input, async ({ name }) => {
        const loaded = await skills.load(name)
        if (!loaded.ok) return errorResult(loaded.error)
        const { entry } = loaded.value
        return {
          ...wrapSkill(loaded.value),
          isError: false,
          notes: [
            {
              type: 'skill',
              name: entry.name,
              category: entry.category,
              digest: entry.digest,
              via: 'tool',
              body: true,
            },
          ],
        }
      }),
  }
}
