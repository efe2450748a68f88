// Encodes Server-Sent Events. Refuses text that could forge a frame.

import { utf8 } from './bytes.ts'

/** Encodes one event. `json` must be on one line, which JSON.stringify guarantees. */
export function sseFrame(id: number, event: string, json: string): Uint8Array {
  if (/[\r\n\0]/.test(event) || /[\r\n]/.test(json))
    throw new Error('An SSE field must not contain a line break.')
  return utf8(`id: ${id}\nevent: ${event}\ndata: ${json}\n\n`)
}

export function sseRetry(ms: number): Uint8Array {
  return utf8(`retry: ${ms}\n\n`)
}

/** A keep-alive comment. It does not change the client's cursor. */
export const SSE_PING = utf8(': ping\n\n')
