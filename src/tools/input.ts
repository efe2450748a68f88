// Input of a tool, checked by one schema that is also what the model is shown.

import * as z from 'zod'
import type { ToolSpec } from '../agent/model.ts'
import type { ToolResult } from '../agent/tool.ts'

export function specOf(name: string, description: string, schema: z.ZodType): ToolSpec {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return { name, description, input_schema: { ...json, type: 'object' } }
}

export function errorResult(content: string): ToolResult {
  return { content, isError: true }
}

/** Runs `use` with checked input, or tells the model which field to mend. */
export async function withInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  use: (value: T) => Promise<ToolResult>,
): Promise<ToolResult> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return use(parsed.data)
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  return errorResult(`The input does not fit. ${faults.join('; ')}. Call again with it mended.`)
}
