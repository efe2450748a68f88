// Defines built-in tools. The schema of a tool's input is shown to the model and also validates what the model sends.

import * as z from 'zod'
import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { Effect, Tool, ToolCall, ToolLabel, ToolResult } from '../../agent/tool.ts'
import { TOOL_TIMEOUT_MS } from './limits.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Result } from '../../lib/result.ts'
import type { FileAccess } from '../../files/access.ts'
import type { DocumentReader } from '../../files/documents/document.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import type { WebSearch } from '../web/search/search.ts'
import type { CreationFacts, DeferredCatalog } from './offered.ts'

/**
 * Searches the part of the conversation that is no longer in the model's window. A query that is an ID reads that message or
 * result. `untrusted` are the sources that its content may come from.
 */
export type ConversationSearch = (
  query: string,
) => Pick<ToolResult, 'content' | 'isError'> & { readonly untrusted: readonly string[] }

/** Everything that the tools of a run may use. */
export interface ToolContext {
  readonly skills: SkillAccess
  readonly files: FileAccess
  /** Null if this deployment has no document readers. */
  readonly documents: DocumentReader | null
  readonly sandbox: Sandbox
  /** Whether a person can be asked; false in a run that a hook started. */
  readonly canAskPerson: boolean
  /** The only network access. */
  readonly net: GuardedFetch
  /** Null if no search engine is configured. */
  readonly search: WebSearch | null
  readonly searchThread: ConversationSearch
  /** The tools of the current catalog that the thread may call but that are not in the model's list. */
  readonly deferred: () => Promise<Result<DeferredCatalog>>
  readonly now: Clock
}

/** The definition of a built-in tool. Tools of experiments may omit the optional properties. */
export interface BuiltinTool {
  readonly spec: ToolSpec
  readonly group?: string
  /** The tool's names in other hosts, in lower case. Skills may use them in their frontmatter. */
  readonly aliases?: readonly string[]
  /** True if no skill can exclude the tool, because it is harmless and skills depend on it. */
  readonly always?: boolean
  readonly label?: ToolLabel
  /** Whether a new thread gets the tool; if absent, every thread does. */
  readonly includedIf?: (created: CreationFacts) => boolean
  /** The kind of side effect. A thread stores it when it is created. */
  readonly effect: Effect
  /**
   * When a call needs an approval; if absent, the tool itself never requires it. A thread stores the rule, but the
   * current rule applies if it is stricter.
   */
  readonly approval?: ApprovalRule
  /** The request that a call would send; absent if the tool sends none. */
  readonly preview?: (input: unknown) => Preview | null
  make(context: ToolContext): Tool
}

export function builtin<T>(definition: {
  readonly name: string
  readonly group: string
  readonly label: ToolLabel
  readonly aliases?: readonly string[]
  readonly always?: boolean
  readonly includedIf?: (created: CreationFacts) => boolean
  readonly description: string
  readonly input: z.ZodType<T>
  readonly effect: Effect
  /** TOOL_TIMEOUT_MS by default. */
  readonly timeoutMs?: number
  /** See `Tool`; true by default. */
  readonly limitsResults?: boolean
  /** See `Tool`; false by default. */
  readonly ownText?: boolean
  readonly run: (context: ToolContext, input: T, call: ToolCall) => Promise<ToolResult>
}): BuiltinTool {
  const {
    name,
    description,
    input: schema,
    effect,
    group,
    label,
    aliases = [],
    always = false,
    includedIf = () => true,
    timeoutMs = TOOL_TIMEOUT_MS,
    limitsResults = true,
    ownText = false,
  } = definition
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return {
    spec: { name, description, input_schema: { ...json, type: 'object' } },
    effect,
    group,
    label,
    aliases,
    always,
    includedIf,
    make: (context) => ({
      timeoutMs,
      limitsResults,
      ownText,
      run: async (input, call) => {
        const parsed = schema.safeParse(input)
        return parsed.success ? definition.run(context, parsed.data, call) : invalidInputResult(parsed.error)
      },
    }),
  }
}

export function errorResult(content: string): ToolResult {
  return { content, isError: true }
}

/** The message for the model if the catalog cannot be read. */
export function unreadable(tool: string): string {
  return `The tool ${tool} cannot be looked up right now. Try once more; if it fails again, continue without it.`
}

/** An error about an input that the model can correct. */
export function inputError(faults: string): ToolResult {
  return errorResult(`${faults} Fix it and call again.`)
}

/** An error that lists the invalid fields. */
function invalidInputResult({ issues }: z.ZodError): ToolResult {
  const faults = issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  return inputError(`The input is not valid. ${faults.join('; ')}.`)
}
