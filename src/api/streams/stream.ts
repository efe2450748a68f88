// Sends a thread's events as a response, and reads the position from which a reader resumes.

import { fail, ok, type Result } from '../../lib/result.ts'
import type { HttpContext } from '../route/route.ts'

/** An event stream response. `events` is null for HEAD requests. */
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

/** The event number after which to continue, or null for the beginning. Last-Event-ID takes precedence over `?after=`. */
export function cursorOf(c: HttpContext): Result<number | null> {
  // A browser that has seen no event may send the header empty.
  const text = c.req.header('Last-Event-ID') || c.req.query('after')
  if (text === undefined) return ok(null)
  if (!/^\d{1,15}$/.test(text))
    return fail(
      'bad_cursor',
      'Last-Event-ID and ?after= must be the number of an event that was received. Omit both to start from the beginning.',
    )
  return ok(Number(text))
}
