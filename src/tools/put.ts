// Checks a tool definition for a catalog: validated, named, with its digest. For routes and for the build.

import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { ToolEntry } from '../skills/skill.ts'
import { parseDefinition, type DefinitionTerms } from './http/definition.ts'
import { reservedName } from './builtins.ts'

export type CheckedTool = Pick<ToolEntry, 'name' | 'digest' | 'definition'>

/**
 * Complete, with defaults, so that the stored definition is explicit. Failure: `invalid_tool` with `errors` by field.
 */
export async function checkedTool(json: unknown, terms: DefinitionTerms): Promise<Result<CheckedTool>> {
  const parsed = parseDefinition(json, terms)
  if (!parsed.ok) return parsed
  const { name } = parsed.value
  const reserved = reservedName(name)
  if (reserved !== null)
    return fail('invalid_tool', `The name "${name}" ${reserved}.`, {
      errors: [{ path: 'name', message: reserved }],
    })
  const definition = { ...parsed.value }
  return ok({ name, digest: await sha256Hex(canonicalJson(definition)), definition })
}
