// Checks a tool definition and its name, and computes its digest. Used by API routes and by the build.

import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { ToolEntry } from '../skills/skill.ts'
import { parseDefinition, type DefinitionRules } from './http/definition.ts'
import { reservedNameFault } from './builtins.ts'

export type CheckedTool = Pick<ToolEntry, 'name' | 'digest' | 'definition'>

/** Returns the definition with all defaults filled in. The error is `invalid_tool`, with `errors` for each field. */
export async function checkTool(json: unknown, terms: DefinitionRules): Promise<Result<CheckedTool>> {
  const parsed = parseDefinition(json, terms)
  if (!parsed.ok) return parsed
  const { name } = parsed.value
  const reserved = reservedNameFault(name)
  if (reserved !== null)
    return fail('invalid_tool', `The name "${name}" ${reserved}.`, {
      errors: [{ path: 'name', message: reserved }],
    })
  const definition = { ...parsed.value }
  return ok({ name, digest: await sha256Hex(canonicalJson(definition)), definition })
}
