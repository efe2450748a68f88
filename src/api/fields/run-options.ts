// The fields for the options of runs that no person starts, which hooks and schedules share.

import * as z from 'zod'
import { config } from '../../env/env.ts'
import type { Env } from '../../env/env.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { MODEL_NAME_MAX_CHARS, TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import { CALLED_SKILLS_MAX, SKILL_NAME_MAX_CHARS } from '../../limits/skills.ts'
import { modelRegistry } from '../../model/registry.ts'
import { SomeBudget, wholeBudget } from './budget.ts'
import { CallbackRequest } from './callback.ts'
import { shortText } from './fields.ts'
import {
  ALLOWED_CALLS_MAX,
  ALLOWED_SKILLS_MAX,
  FREE_FIELDS_MAX,
  TOOLS_NAMED_MAX,
  USER_MAX_CHARS,
} from './limits.ts'

export const JsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as /project')

const SkillName = shortText(SKILL_NAME_MAX_CHARS).min(1)

/** To be spread into the schema of a hook or schedule. Its output is RunOptions of src/unattended/options.ts. */
export const runOptionFields = {
  user: shortText(USER_MAX_CHARS).trim().min(1).nullable().default(null),
  skills: z
    .strictObject({
      allow: z.array(SkillName).max(ALLOWED_SKILLS_MAX).nullable().default(null),
      load: z
        .array(SkillName)
        .max(CALLED_SKILLS_MAX)
        .refine((names) => new Set(names).size === names.length, 'must not repeat a skill')
        .default([]),
    })
    .default({ allow: null, load: [] }),
  tools: z.array(shortText(TOOL_NAME_MAX_CHARS).min(1)).max(TOOLS_NAMED_MAX).nullable().default(null),
  model: shortText(MODEL_NAME_MAX_CHARS).min(1).nullable().default(null),
  budget: SomeBudget.prefault({}).transform(wholeBudget),
  /** Calls that run without approval, because nobody can approve calls in these runs. Only the listed fields are accepted. */
  allowed_calls: z
    .array(
      z.strictObject({
        tool: shortText(TOOL_NAME_MAX_CHARS).min(1),
        fields: z.record(JsonPointer, z.json()).default({}),
        free: z
          .array(JsonPointer.min(1, 'must name a field, such as /project'))
          .max(FREE_FIELDS_MAX)
          .default([]),
      }),
    )
    .max(ALLOWED_CALLS_MAX)
    .default([]),
  callback: CallbackRequest.nullable().default(null),
}

/** Checks what the schema cannot: that the model is available, and that the threads may see the skills they load. */
export function checkRunOptions(
  env: Env,
  { model, skills }: Readonly<{ model: string | null; skills: { allow: string[] | null; load: string[] } }>,
): Result<null> {
  const hidden = skills.allow && skills.load.findIndex((name) => !skills.allow?.includes(name))
  if (hidden !== null && hidden >= 0)
    return fail('invalid_request', 'A skill to load must be in skills.allow, too.', {
      errors: [{ path: `skills.load[${hidden}]`, message: 'is not in skills.allow: add it there' }],
    })
  return checkModel(env, model)
}

/** Checks that the model that a request names is available. */
export function checkModel(env: Env, model: string | null): Result<null> {
  if (model === null) return ok(null)
  const models = modelRegistry(config(env))
  if (models.resolve(model) !== null) return ok(null)
  return fail('unknown_model', models.unavailableMessage(model), {
    errors: [{ path: 'model', message: 'names no model that is available here' }],
  })
}
