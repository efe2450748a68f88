// How a tool of the build is defined. One schema checks its input, and is what the model is shown.

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

/** What tools are made from: all of a run that they may touch. */
export interface ToolContext {
  readonly skills: SkillAccess
  readonly files: FileAccess
  /** Null: documents are not read here. */
  readonly documents: DocumentReader | null
  readonly sandbox: Sandbox
  /** A person is there to be asked; false in the run of a hook. */
  readonly attended: boolean
  /** The only way out. */
  readonly net: GuardedFetch
  /** Null: no search engine is set up. */
  readonly search: WebSearch | null
  readonly now: Clock
}

/** What decides whether a thread that begins now gets a tool. */
export interface CreationFacts {
  /** Its prompt describes every skill, so that there is nothing to search for. */
  readonly describesAll: boolean
  /** A search engine is set up. */
  readonly searchesWeb: boolean
}

/** All that there is to say of a tool of the build. What it says of people and skills may be absent in a trial. */
export interface BuiltinTool {
  readonly spec: ToolSpec
  readonly group?: string
  /** What other hosts call it in the frontmatter of skills, in small letters. */
  readonly aliases?: readonly string[]
  /** No skill can rule it out: reading, looking, showing and asking harm nobody, and no skill could be followed without. */
  readonly always?: boolean
  readonly label?: ToolLabel
  /** Absent: each thread gets it. */
  readonly includedIf?: (created: CreationFacts) => boolean
  /** Asked once, when a thread is born: from then on the thread's row says it. */
  readonly effect: Effect
  /** When a person is asked; absent: never because of the tool itself. What is live counts where it asks more. */
  readonly approval?: ApprovalRule
  /** What a call would send; absent: nothing leaves. */
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

/** Tells the model which field to fix. */
function misfit({ issues }: z.ZodError): ToolResult {
  const faults = issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  return errorResult(`The input does not fit. ${faults.join('; ')}. Call again with it fixed.`)
}
