// What an approval binds: digests of what a call would do right now. One way to make them, for who asks and who answers.

import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import { withoutAt } from '../../agent/pointer.ts'
import type { Tool, ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Binding } from '../rows/approval.ts'
import type { CallKey } from '../rows/journal.ts'

/** `call`: a model may use an id again, and a yes to one call is none to the next. */
export async function bindingOf(
  { runId, message, ord }: CallKey,
  row: ToolRow,
  tool: Tool,
  input: unknown,
  preview: Preview | null,
  rule: ApprovalRule,
): Promise<Binding> {
  const definition = tool.definition ?? row.digest
  const identical = canonicalJson([row.name, definition, withoutAt(input, rule.free ?? [])])
  const [sent, same] = await Promise.all([sha256Hex(canonicalJson([preview])), sha256Hex(identical)])
  const digest = await sha256Hex(canonicalJson([definition, sent, runId, message, ord]))
  return { definition, preview: sent, same, digest }
}

/** What the call would send; fails in words for the model where the tool cannot say. */
export function previewOf(tool: Tool, input: unknown): Result<Preview | null, string> {
  try {
    return ok(tool.preview?.(input) ?? null)
  } catch {
    return err('Not run: what this call would send cannot be shown to the person who has to allow it.')
  }
}
