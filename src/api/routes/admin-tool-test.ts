// Makes a test call of an HTTP tool for an admin. The request is really sent, once; nothing is stored.

import * as z from 'zod'
import { isText } from '../../agent/message.ts'
import type { ToolContent } from '../../agent/message.ts'
import { objects, config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { fail, ok } from '../../lib/result.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { workspaceFetch } from '../../net/workspace-fetch.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import { sealer } from '../../secrets/seal.ts'
import { openSecrets } from '../../secrets/stored.ts'
import { httpTool } from '../../tools/http/tool.ts'
import { liveTool } from '../../tools/http/live.ts'
import { Secrets } from '../fields/chat-request.ts'
import { readJson } from '../bodies/json-body.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { json, type HttpContext, type Reply } from '../route/route.ts'
import { findTool } from '../tools/find-tool.ts'

const TestBody = z.strictObject({
  /** The input as a model would write it. */
  input: z.record(z.string(), z.unknown()),
  /** The secrets as a chat request would supply them. */
  secrets: Secrets.optional(),
})

function secretsOf(
  c: HttpContext,
  { workspace }: Caller,
  requestSecrets: Readonly<Record<string, string>>,
): SecretsPort {
  return {
    use: async (names, host) => {
      const rows = await objects(c.env).workspace(workspace).sealedSecrets(names)
      return rows.ok
        ? openSecrets(sealer(config(c.env).encryptionKeys), workspace, rows.value, names, host)
        : rows
    },
    brought: async (names) => {
      const brought = new Map(Object.entries(requestSecrets))
      const missing = names.filter((name) => !brought.has(name))
      if (missing.length === 0) return ok(brought)
      return fail(
        'not_found',
        `The request does not supply the secret ${missing.join(', ')}. Add it to "secrets".`,
      )
    },
  }
}

/** Also works for disabled tools. Needs no approval, because the admin who sends the request has decided. */
export async function testTool(c: HttpContext, caller: Caller): Promise<Reply> {
  const key = `tool test ${caller.workspace}/${caller.keyId}`
  const refusal = refuseOverRate(
    c,
    c.env.TRIAL_RATE,
    key,
    'Too many test calls were sent with this key. Wait, then try again.',
  )
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
  const ports = { fetch, secrets: secretsOf(c, caller, secrets), secretsInUrl: config(c.env).secretsInUrl }
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
    result: textOf(result.content),
    is_error: result.isError,
    duration_ms: systemClock() - startedAt,
  })
}

function textOf(content: ToolContent): string {
  if (typeof content === 'string') return content
  return content.map((block) => (isText(block) ? block.text : `[${block.type}]`)).join('\n')
}
