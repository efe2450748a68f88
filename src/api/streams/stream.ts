// A thread's events as a response, and the position where a reader resumes.

import { fail, ok, type Result } from '../../lib/result.ts'
import type { HttpContext } from '../route/route.ts'

/** `events` null: headers only, for HEAD. */
export function eventStream(
  events: ReadableStream<Uint8Array> | null,
  headers: Record<string, string> = {},
): Response {
  return new Response(events, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Encoding': 'identity',
      'X-Accel-Buffering': 'no',
      ...headers,
    },
  })
}

/** Last-Event-ID wins over `?after=`; null: from the start. */
export function cursorOf(c: HttpContext): Result<number | null> {
  // A browser that has seen no event may send the header empty.
  const text = c.req.header('Last-Event-ID') || c.req.query('after')
  if (text === undefined) return ok(null)
  if (!/^\d{1,15}$/.test(text))
    return fail(
      'bad_cursor',
      'Last-Event-ID and ?after= accept the number of an event that was received. Leave both out to start over.',
    )
  return ok(Number(text))
}
