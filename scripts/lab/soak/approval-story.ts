// A call that must be made exactly once and needs approval. Pure: the same key gives the same call with the same ID.

import { newestRequest } from './requested-story.ts'

import type { Reply } from '../../../test/fakes/messages-wire.ts'

const ORDER_MESSAGE = /^ORDER: message (\S+)$/

/** The tool's name, and the ID of each of its calls. */
export const ORDER_TOOL = 'order'
export const ORDER_ID = 'toolu_order_1'

/** A user message that makes its run place an order. */
export function orderMessage(key: string): string {
  return `ORDER: message ${key}`
}

/** Null if the newest message requests no order. */
export function approvalReply(raw: string): Reply | null {
  const request = newestRequest(raw, ORDER_MESSAGE)
  const [, key] = request?.match ?? []
  if (!request || key === undefined) return null
  if (request.round > 0 || !request.mayCall)
    return { content: [{ type: 'text', text: `All of ${key} is done.` }] }
  return { content: [{ type: 'tool_use', id: ORDER_ID, name: ORDER_TOOL, input: { key } }] }
}
