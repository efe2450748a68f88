// The deferred tools whose definitions the model was shown in this thread, and the calls of call_tool that reach them. A tool
// is looked up again in the catalog before each call.

import type { ToolRow } from '../../agent/tool.ts'
import { isNameOf } from '../../skills/mcp-tool-names.ts'
import { CALL_TOOL_NAME } from '../../tools/deferred/names.ts'
import { readCall, readInput } from '../../tools/deferred/read-call.ts'
import { createTable, hasTable } from './on-demand.ts'

type StoredRow = Record<keyof ToolRow, string>

/** The call that a call of call_tool makes. */
export interface TargetCall {
  readonly row: ToolRow
  readonly input: Readonly<Record<string, unknown>>
  /** What was repaired in the input, for the model. */
  readonly repairs: readonly string[]
}

const COLUMNS = 'name, spec, source, effect, approval, digest'

interface Shown {
  readonly message: number
  readonly tool: ToolRow
}

export class Revealed {
  readonly #sql: SqlStorage
  /** By name, oldest first. Read from the rows on first use, so a thread that wakes without such a call reads none. */
  #cached: Map<string, readonly Shown[]> | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#cached = null
  }

  #all(): Map<string, readonly Shown[]> {
    if (this.#cached) return this.#cached
    const all = new Map<string, readonly Shown[]>()
    if (hasTable(this.#sql, 'revealed'))
      for (const { message, ...row } of this.#sql.exec<StoredRow & { readonly message: number }>(
        `SELECT message, ${COLUMNS} FROM revealed ORDER BY message`,
      ))
        all.set(row.name, [...(all.get(row.name) ?? []), { message, tool: toolOf(row) }])
    return (this.#cached = all)
  }

  /**
   * The tool of this name as the model knew it when it wrote message number `message`; null if it did not. The same for each
   * execution of the call, because what its own message reveals does not count.
   */
  known(name: string, message: number): ToolRow | null {
    return (
      this.#all()
        .get(name)
        ?.findLast((shown) => shown.message < message)?.tool ?? null
    )
  }

  /** What a call of call_tool in message number `message` calls; null if it names no tool that the model knew, or has no input. */
  target(name: string, input: unknown, message: number): TargetCall | null {
    if (name !== CALL_TOOL_NAME) return null
    const call = readCall(input)
    if (!call.ok) return null
    const row = this.known(call.value.name, message) ?? this.#meant(call.value.name, message)
    if (!row || !('input_schema' in row.spec)) return null
    const read = readInput(call.value, row.spec.input_schema)
    return read.ok ? { row, ...read.value } : null
  }

  /** The tool that a name in other letter case or in the form of another host means, as in a search. */
  #meant(name: string, message: number): ToolRow | null {
    const owns = [...this.#all().keys()].filter((own) => isNameOf(own, name))
    return owns.map((own) => this.known(own, message)).find((row) => row !== null) ?? null
  }

  /** The source of the tool of this name that was shown last; null if none was shown. */
  sourceOf(name: string): string | null {
    return this.#all().get(name)?.at(-1)?.tool.source ?? null
  }

  /** The tools that were shown before message number `message`, each as it was shown last, newest first. */
  before(message: number): readonly ToolRow[] {
    return [...this.#all().values()]
      .flatMap((shown) => shown.findLast((each) => each.message < message) ?? [])
      .toSorted((a, b) => b.message - a.message)
      .map(({ tool }) => tool)
  }

  /** Must be called in the block that writes the result which shows the tools; `message` requested the call. */
  add(message: number, tools: readonly ToolRow[]): void {
    for (const tool of tools) {
      const { name, spec, source, effect, approval, digest } = tool
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
      this.#all().set(name, [...(this.#all().get(name) ?? []), { message, tool }])
    }
  }
}

/** The cast is safe: only this file writes the table. */
function toolOf(row: StoredRow): ToolRow {
  return { ...row, spec: JSON.parse(row.spec), approval: JSON.parse(row.approval) } as ToolRow
}
