// How a built-in tool is defined. One schema validates its input, and is what the model sees.

import * as z from 'zod'
import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { Effect, Tool, ToolCall, ToolLabel, ToolResult } from '../../agent/tool.ts'
import { TOOL_TIMEOUT_MS } from './limits.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FileAccess } from '../../files/access.ts'
import type { DocumentReader } from '../../files/documents/document.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import type { WebSearch } from '../web/search/search.ts'

/** The parts of a run that tools may use. */
export interface ToolContext {
  readonly skills: SkillAccess
  readonly files: FileAccess
  /** Null: no document reader here. */
  readonly documents: DocumentReader | null
  readonly sandbox: Sandbox
  /** A person can be asked; false in the run of a hook. */
  readonly attended: boolean
  /** The only network access. */
  readonly net: GuardedFetch
  /** Null: no search engine is configured. */
  readonly search: WebSearch | null
  readonly now: Clock
}

/** The facts that decide whether a new thread gets a tool. */
export interface CreationFacts {
  /** Its prompt describes every skill, so there is nothing to search for. */
  readonly describesAll: boolean
  /** A search engine is configured. */
  readonly searchesWeb: boolean
}

/** The definition of a built-in tool. Trials may leave out its label and its names in skills. */
export interface BuiltinTool {
  readonly spec: ToolSpec
  readonly group?: string
  /** Its names in other hosts, as in the frontmatter of skills, in lower case. */
  readonly aliases?: readonly string[]
  /** No skill can exclude it: reading, viewing, presenting and asking are harmless, and no skill works without them. */
  readonly always?: boolean
  readonly label?: ToolLabel
  /** Absent: every thread gets it. */
  readonly includedIf?: (created: CreationFacts) => boolean
  /** Read once, when a thread is created; then stored in the thread's row. */
  readonly effect: Effect
  /**
   * When a call needs an approval; absent: never because of the tool itself. The current rule applies if it is
   * stricter.
   */
  readonly approval?: ApprovalRule
  /** The request that a call would send; absent: nothing is sent. */
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
  /** Absent: TOOL_TIMEOUT_MS, and true. */
  readonly timeoutMs?: number
  readonly bounded?: boolean
  /** See Tool. */
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
    bounded = true,
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
      bounded,
      ownText,
      run: async (input, call) => {
        const parsed = schema.safeParse(input)
        return parsed.success ? definition.run(context, parsed.data, call) : misfit(parsed.error)
      },
    }),
  }
}

export function errorResult(content: string): ToolResult {
  return { content, isError: true }
}

/** Lists the fields that the model has to fix. */
function misfit({ issues }: z.ZodError): ToolResult {
  const faults = issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  return errorResult(`The input is not valid. ${faults.join('; ')}. Fix it and call again.`)
}
