// The subject of a policy decision.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'

/** A call that is about to be made, with its tool. */
export interface Subject {
  readonly run: Run
  readonly call: JournalCall
  readonly row: ToolRow
  readonly tool: Tool
}
