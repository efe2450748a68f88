// Encodes Server-Sent Events. Refuses text that could forge a frame.

import { utf8 } from './bytes.ts'

/** One event: `data` is JSON on one line (JSON.stringify never prints a raw line end). */
export function sseFrame(id: number, event: string, json: string): Uint8Array {
  if (/[\r\n\0]/.test(event) || /[\r\n]/.test(json)) throw new Error('an SSE field may hold no line end')
  return utf8(`id: ${id}\nevent: ${event}\ndata: ${json}\n\n`)
}

export function sseRetry(ms: number): Uint8Array {
  return utf8(`retry: ${ms}\n\n`)
}

/** A keep-alive comment. Moves no cursor. */
export const SSE_PING = utf8(': ping\n\n')
