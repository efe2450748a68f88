// Handles requests for exports. Imported when it is needed.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { withDisposedResults } from '../../lib/dispose-results.ts'
import { redact } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { codePoints } from '../../lib/text.ts'
import { exportPieces, type ExportSource } from '../export/user-export.ts'
import { positionOf } from '../export/position.ts'
import { USER_MAX_CHARS } from '../fields/limits.ts'
import { invalidField } from '../problems/field-errors.ts'
import type { HttpContext, Reply } from '../route/route.ts'
import { download } from '../streams/download.ts'

/** Exports the user's data, or what belongs to the key itself if it has no user. */
export async function replyWithOwnExport(c: HttpContext, caller: Caller): Promise<Reply> {
  return exportOf(c, caller, caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`)
}

export async function replyWithUserExport(c: HttpContext, caller: Caller): Promise<Reply> {
  const user = userOf(c.req.query('user'))
  return user.ok ? exportOf(c, caller, `user:${user.value}`) : user
}

/** The name of a user. Failure: `invalid_request`. */
function userOf(text: string | undefined): Result<string> {
  const user = text?.trim() ?? ''
  if (user === '' || codePoints(user) > USER_MAX_CHARS)
    return invalidField('user', `must be the user of a key, with 1 to ${USER_MAX_CHARS} characters`)
  return ok(user)
}

function exportOf(c: HttpContext, caller: Caller, owner: string): Reply {
  const start = positionOf(c.req.query('cursor') ?? null)
  if (!start.ok) return start
  const now = systemClock()
  const name = `export-${owner.replace(/^(user|key):/, '')}-${rfc3339(now).slice(0, 10)}.tar`
  const headers = { 'Cache-Control': 'no-store' }
  const type = 'application/x-tar'
  if (c.req.method === 'HEAD') return download(null, type, name, headers)
  const ofDeployment = objects(c.env)
  const source: ExportSource = {
    account: async () => ofDeployment.workspace(caller.workspace).account(owner),
    threads: async (...page) => ofDeployment.workspace(caller.workspace).ownedThreads(owner, ...page),
    thread: (id) => withDisposedResults(ofDeployment.thread(caller.workspace, id)),
    bytes: async (key) => (await c.env.FILES.get(key))?.body ?? null,
    caller,
    now,
  }
  const pieces = exportPieces(source, start.value)
  return download(streamOf(pieces, c.var.requestId), type, name, headers)
}

/** Asks for the next piece when the client has taken the last one. */
function streamOf(pieces: AsyncGenerator<Uint8Array>, requestId: string): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          console.error(JSON.stringify({ at: 'export', request_id: requestId, error: redact(String(error)) }))
          controller.error(error)
        }
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
