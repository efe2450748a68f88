// What an approval binds: digests of the call as it would be made now. Used for requesting and for answering.

import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import { withoutValuesAt } from '../../lib/json-pointer.ts'
import type { Tool, ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Binding } from '../rows/approval.ts'
import type { CallId } from '../rows/journal.ts'

/**
 * The position of the call is included, because a model may reuse an ID and an approval applies to one call
 * only.
 */
export async function bindingOf(
  { runId, message, ord }: CallId,
  row: ToolRow,
  tool: Tool,
  input: unknown,
  preview: Preview | null,
  rule: ApprovalRule,
): Promise<Binding> {
  const definition = tool.definition ?? row.digest
  const identical = canonicalJson([row.name, definition, withoutValuesAt(input, rule.free ?? [])])
  const [sent, same] = await Promise.all([sha256Hex(canonicalJson([preview])), sha256Hex(identical)])
  const digest = await sha256Hex(canonicalJson([definition, sent, runId, message, ord]))
  return { definition, preview: sent, same, digest }
}

/** The request that the call would send. If the tool cannot build it, the failure is a text for the model. */
export function previewOf(tool: Tool, input: unknown): Result<Preview | null, string> {
  try {
    return ok(tool.preview?.(input) ?? null)
  } catch {
    return err('Not run: the request of this call cannot be shown to the person who has to approve it.')
  }
}
