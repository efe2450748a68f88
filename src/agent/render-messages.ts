// Writes messages as plain text, for a summary and for the opening of a window. Pure. The text is not escaped.

import { cutMiddle } from '../lib/text.ts'
import { isText, isToolUse, type ApiMessage, type Block } from './message.ts'

export interface RenderLimits {
  /** The maximum length of one input or result; a longer one is cut to its beginning and end. */
  readonly blockMaxChars: number
}

/** Thinking and other blocks without text are left out. */
function blockText(block: Block, { blockMaxChars }: RenderLimits): readonly string[] {
  if (isText(block)) return [block.text]
  if (isToolUse(block))
    return [
      `[call ${block.id} of ${block.name}] ${cutMiddle(JSON.stringify(block.input) ?? '', blockMaxChars)}`,
    ]
  if (block.type === 'image') return ['[an image]']
  if (block.type === 'server_tool_use') return ['[a web search]']
  if (block.type !== 'tool_result') return []
  const failed = block['is_error'] === true ? ', an error' : ''
  return [
    `[result of ${String(block['tool_use_id'])}${failed}] ${cutMiddle(resultText(block), blockMaxChars)}`,
  ]
}

/** The text of a tool result; images are only mentioned. */
export function resultText({ content }: Block): string {
  if (typeof content === 'string') return content
  // Stored results contain only blocks.
  return Array.isArray(content)
    ? (content as readonly Block[]).map((part) => (isText(part) ? part.text : '[an image]')).join('\n')
    : ''
}

export function messageText({ role, content }: ApiMessage, limits: RenderLimits): string {
  const lines = content.flatMap((block) => blockText(block, limits))
  const hasResults = content[0]?.type === 'tool_result'
  return lines.length === 0 ? '' : `${hasResults ? '' : `[${role}] `}${lines.join('\n')}`
}
