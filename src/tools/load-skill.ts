// load_skill: brings a skill's body into the conversation.

import * as z from 'zod'
import { wrapSkill } from '../skills/view/wrap.ts'
import { builtin, errorResult } from './builtin.ts'

export const LOAD_SKILL = builtin({
  name: 'load_skill',
  description:
    'Loads the instructions of one skill and lists its files. Call it before doing work that a skill covers.',
  input: z.strictObject({
    name: z.string().min(1).describe('The name of a skill, as the list of available skills gives it.'),
  }),
  effect: 'read',
  run: async ({ skills }, { name }) => {
    const loaded = await skills.load(name)
    if (!loaded.ok) return errorResult(loaded.error)
    const { name: its, category, digest } = loaded.value.entry
    return {
      ...wrapSkill(loaded.value),
      isError: false,
      notes: [{ type: 'skill', name: its, category, digest, via: 'tool', body: true }],
    }
  },
})
