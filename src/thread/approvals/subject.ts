// What is judged.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'

/** A call that is about to be made, and what carries it out. */
export interface Subject {
  readonly run: Run
  readonly call: JournalCall
  readonly row: ToolRow
  readonly tool: Tool
}
