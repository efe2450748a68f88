// Asks the guardrail of a workspace, an external service that judges each call, like DeerFlow's guardrail
// providers. It receives the tool and the input; it may deny a call, but not change it.

import * as z from 'zod'
import { ALLOW, type Verdict } from '../../agent/policy.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { GUARDRAIL_ANSWER_MAX_BYTES, GUARDRAIL_REASON_MAX_CHARS, GUARDRAIL_TIMEOUT_MS } from './limits.ts'
import type { GuardedFetch } from '../../net/fetch.ts'

/** The request body that the guardrail receives as JSON. */
export interface GuardedCall {
  readonly tool: string
  readonly input: unknown
  readonly effect: string
  readonly untrusted: readonly string[]
  readonly workspace: string
  readonly thread_id: string
  readonly run_id: string
  readonly tool_use_id: string
  readonly user: string | null
}

const Answer = z.looseObject({ allow: z.boolean(), reasons: z.array(z.string()).optional() })

/**
 * `failure` is the verdict if the service is unreachable or returns a server error. Any other response that
 * cannot be read denies the call. Otherwise the model could avoid a denial by an input that changes the size or
 * status of the response.
 */
export async function askGuardrail(
  net: GuardedFetch,
  url: string,
  failure: 'deny' | 'allow',
  call: GuardedCall,
  signal: AbortSignal,
): Promise<Verdict> {
  const response = await net(
    {
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(call),
    },
    { signal, timeoutMs: GUARDRAIL_TIMEOUT_MS, maxBytes: GUARDRAIL_ANSWER_MAX_BYTES, maxRedirects: 0 },
  )
  if (response.ok && response.value.status < 500) {
    const answer = response.value.status === 200 ? parseAnswer(response.value.body) : null
    if (answer?.allow === true) return ALLOW
    return denied(call.tool, answer ? (answer.reasons ?? []) : ['its response could not be read'])
  }
  if (failure === 'allow') {
    // Does not log the address, which may contain a token.
    const why = response.ok ? `status ${response.value.status}` : response.error.code
    console.warn(JSON.stringify({ at: 'tools.guardrail', run_id: call.run_id, error: why }))
    return ALLOW
  }
  return denied(call.tool, ['it did not respond'])
}

function parseAnswer(body: Uint8Array): z.infer<typeof Answer> | null {
  try {
    const parsed = Answer.safeParse(JSON.parse(fromUtf8(body) ?? ''))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function denied(tool: string, reasons: readonly string[]): Verdict {
  const why = cutText(stripInvisible(reasons.join(', ')), GUARDRAIL_REASON_MAX_CHARS)
  const text = `Not run: the guardrail of this workspace refused ${tool}${why === '' ? '' : ` (${why})`}. Continue without this call, or say what you could not do.`
  return { do: 'deny', policy: 'guardrail', message: text }
}
