// The deferred tools whose definitions the model was shown in this thread, and the calls of call_tool that reach them. A tool
// is looked up again in the catalog before each call.

import type { ToolRow } from '../../agent/tool.ts'
import { meantTools } from '../../skills/view/tool-policy.ts'
import { CALL_TOOL_NAME } from '../../tools/deferred/names.ts'
import { readCall, readInput } from '../../tools/deferred/read-call.ts'
import { createTable, hasTable } from './on-demand.ts'

type StoredRow = Record<keyof ToolRow, string>

/** The call that a call of call_tool stands for. */
export interface TargetCall {
  readonly row: ToolRow
  readonly input: Readonly<Record<string, unknown>>
  /** What was repaired in the input, for the model. */
  readonly repairs: readonly string[]
}

const COLUMNS = 'name, spec, source, effect, approval, digest'

export class Revealed {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get #isEmpty(): boolean {
    return !hasTable(this.#sql, 'revealed')
  }

  /**
   * The tool of this name as the model knew it when it wrote message number `message`; null if it did not. The same for each
   * execution of the call, because what its own message reveals does not count.
   */
  known(name: string, message: number): ToolRow | null {
    if (this.#isEmpty) return null
    const [row] = this.#sql
      .exec<StoredRow>(
        `SELECT ${COLUMNS} FROM revealed WHERE name = ? AND message < ? ORDER BY message DESC LIMIT 1`,
        name,
        message,
      )
      .toArray()
    return row ? toolOf(row) : null
  }

  /** What a call of call_tool in message number `message` calls; null if it names no tool that the model knew, or has no input. */
  target(name: string, input: unknown, message: number): TargetCall | null {
    if (name !== CALL_TOOL_NAME || this.#isEmpty) return null
    const call = readCall(input)
    if (!call.ok) return null
    const row = this.known(call.value.name, message) ?? this.#meant(call.value.name, message)
    if (!row || !('input_schema' in row.spec)) return null
    const read = readInput(call.value, row.spec.input_schema)
    return read.ok ? { row, ...read.value } : null
  }

  /** The tool that a name in the form of another host means, such as `server:tool`. */
  #meant(name: string, message: number): ToolRow | null {
    const [own, ...more] = meantTools(name, this.names())
    return own !== undefined && more.length === 0 ? this.known(own, message) : null
  }

  names(): readonly string[] {
    if (this.#isEmpty) return []
    return this.#sql
      .exec<{ name: string }>('SELECT DISTINCT name FROM revealed')
      .toArray()
      .map(({ name }) => name)
  }

  /** The tools that were shown before message number `message`, each as it was shown last, newest first. */
  before(message: number): readonly ToolRow[] {
    if (this.#isEmpty) return []
    return this.#sql
      .exec<StoredRow>(
        `SELECT ${COLUMNS} FROM revealed AS shown WHERE message < ?1 AND message =
           (SELECT max(message) FROM revealed WHERE name = shown.name AND message < ?1)
         ORDER BY message DESC, name`,
        message,
      )
      .toArray()
      .map(toolOf)
  }

  /** Must be called in the block that writes the result which shows the tools; `message` requested the call. */
  add(message: number, tools: readonly ToolRow[]): void {
    for (const { name, spec, source, effect, approval, digest } of tools) {
      if (this.known(name, message + 1)?.digest === digest) continue
      createTable(this.#sql, 'revealed')
      this.#sql.exec(
        `INSERT OR REPLACE INTO revealed (message, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        message,
        name,
        JSON.stringify(spec),
        source,
        effect,
        JSON.stringify(approval),
        digest,
      )
    }
  }
}

/** The cast is safe: only this file writes the table. */
function toolOf(row: StoredRow): ToolRow {
  return { ...row, spec: JSON.parse(row.spec), approval: JSON.parse(row.approval) } as ToolRow
}
