// The outside world of the fault tests, which survives a crash: records what tools did to it.

import type { Effect, ToolCall, ToolResult } from '../../src/agent/tool.ts'
import { RUN_WALL_DEFAULT_S } from '../../src/limits/runs.ts'
import type { ApprovalRule } from '../../src/agent/approval.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'

type Run = (input: unknown, call: ToolCall) => Promise<ToolResult>

export function tool(
  name: string,
  effect: Effect,
  run: Run,
  timeoutMs = RUN_WALL_DEFAULT_S * 1000,
  more: Pick<BuiltinTool, 'approval' | 'preview'> = {},
): BuiltinTool {
  const spec = { name, description: name, input_schema: { type: 'object' } } as const
  return { spec, effect, make: () => ({ timeoutMs, run }), ...more }
}

export class World {
  /** Names of the tools that ran, in order. */
  readonly ran: string[] = []
  /** How often each key of an idempotent call was seen, and the calls that cannot be undone. */
  readonly keys = new Map<string, number>()
  readonly sent: string[] = []
  /** What `pay` sends, as shown to a person. */
  target = 'https://pay.test/'
  rule: ApprovalRule = { ask: 'always' }

  /** `look` reads, `put` is idempotent, `send` happens once. */
  readonly tools: readonly BuiltinTool[] = [
    tool('look', 'read', async (input) => {
      this.ran.push('look')
      return { content: `seen ${JSON.stringify(input)}`, isError: false }
    }),
    tool('put', 'idempotent', async (_, { idempotencyKey }) => {
      this.ran.push('put')
      this.keys.set(idempotencyKey, (this.keys.get(idempotencyKey) ?? 0) + 1)
      return { content: 'put', isError: false }
    }),
    tool('send', 'once', async (_, { idempotencyKey }) => {
      this.ran.push('send')
      this.sent.push(idempotencyKey)
      return { content: 'sent', isError: false }
    }),
  ]

  /**
   * `pay` happens once and needs approval. Created again for each instance of a thread, with the world's state at that
   * time.
   */
  paying(effect: Effect = 'once'): BuiltinTool {
    return tool(
      'pay',
      effect,
      async (_, { idempotencyKey }) => {
        this.ran.push('pay')
        this.sent.push(idempotencyKey)
        return { content: 'paid', isError: false }
      },
      RUN_WALL_DEFAULT_S * 1000,
      {
        approval: this.rule,
        preview: (input) => ({
          kind: 'tool',
          method: 'POST',
          url: this.target,
          headers: { Authorization: 'Bearer {{secrets.PAY}}' },
          body: JSON.stringify(input),
        }),
      },
    )
  }
}
