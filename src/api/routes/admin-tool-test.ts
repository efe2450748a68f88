// Makes a test call of an HTTP tool for an admin. The request is really sent, once; nothing is stored.

import * as z from 'zod'
import { toDisplayText } from '../../agent/result.ts'
import { config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { fail } from '../../lib/result.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { workspaceFetch } from '../../net/workspace-fetch.ts'
import { httpTool } from '../../tools/http/tool.ts'
import { liveTool } from '../../tools/http/live.ts'
import { Secrets } from '../fields/chat-request.ts'
import { readJson } from '../bodies/json-body.ts'
import { json, type HttpContext, type Reply } from '../route/route.ts'
import { adminSecrets, refuseManyTrials } from '../tools/admin-secrets.ts'
import { findTool } from '../tools/find-tool.ts'

const TestBody = z.strictObject({
  /** The input as a model would write it. */
  input: z.record(z.string(), z.unknown()),
  /** The secrets as a chat request would supply them. */
  secrets: Secrets.optional(),
})

/** Also works for disabled tools. Needs no approval, because the admin who sends the request has decided. */
export async function testTool(c: HttpContext, caller: Caller): Promise<Reply> {
  const refusal = refuseManyTrials(c, caller)
  if (refusal) return refusal
  const body = await readJson(c.req.raw, TestBody)
  if (!body.ok) return body
  const entry = await findTool(c, caller)
  if (!entry.ok) return entry
  const live = await liveTool(entry.value)
  if (!live)
    return fail('invalid_tool', 'This release cannot read the definition of the tool. Create the tool again.')
  const { input, secrets = {} } = body.value.data
  let status: number | null = null
  const guardedFetch = workspaceFetch(c.env, caller.workspace, systemClock)
  const fetch: GuardedFetch = async (request, terms) => {
    const response = await guardedFetch(request, terms)
    if (response.ok) status = response.value.status
    return response
  }
  const { secretsInUrl } = config(c.env)
  const ports = { fetch, secrets: adminSecrets(c, caller, secrets), secretsInUrl, now: systemClock }
  const tool = httpTool(live.definition, live.digest, ports)
  const startedAt = systemClock()
  const id = newId('req')
  const result = await tool.run(input, {
    runId: id,
    toolUseId: 'test',
    idempotencyKey: `${id}:test`,
    signal: c.req.raw.signal,
    progress: () => undefined,
  })
  return json({
    request: tool.preview?.(input) ?? null,
    status,
    result: toDisplayText(result.content),
    is_error: result.isError,
    duration_ms: systemClock() - startedAt,
  })
}
