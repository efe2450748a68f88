// The guardrail of a workspace: a service of its own that is asked before each call, as DeerFlow's providers are. It is told
// what is called with what; it may deny, and never change anything.

import * as z from 'zod'
import { ALLOW, type Verdict } from '../../agent/policy.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { GUARDRAIL_ANSWER_MAX_BYTES, GUARDRAIL_REASON_MAX_CHARS, GUARDRAIL_TIMEOUT_MS } from './limits.ts'
import type { GuardedFetch } from '../../net/fetch.ts'

/** What the service is sent, as JSON. */
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
 * `failure`: what a call gets where the service cannot be asked, or fails itself. An answer that cannot be read denies: its size
 * and its status may follow from what the model wrote, who would choose by them that nobody denies.
 */
export async function askGuardrail(
  net: GuardedFetch,
  url: string,
  failure: 'deny' | 'allow',
  call: GuardedCall,
  signal: AbortSignal,
): Promise<Verdict> {
  const asked = await net(
    {
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(call),
    },
    { signal, timeoutMs: GUARDRAIL_TIMEOUT_MS, maxBytes: GUARDRAIL_ANSWER_MAX_BYTES, redirects: 0 },
  )
  if (asked.ok && asked.value.status < 500) {
    const answer = asked.value.status === 200 ? answerIn(asked.value.body) : null
    if (answer?.allow === true) return ALLOW
    return denied(
      call.tool,
      answer ? (answer.reasons ?? []) : ['its guardrail gave no answer that can be read'],
    )
  }
  if (failure === 'allow') {
    // The address may hold a token.
    const why = asked.ok ? `status ${asked.value.status}` : asked.error.code
    console.warn(JSON.stringify({ at: 'tools.guardrail', run_id: call.run_id, error: why }))
    return ALLOW
  }
  return denied(call.tool, ['its guardrail does not answer'])
}

function answerIn(body: Uint8Array): z.infer<typeof Answer> | null {
  try {
    const parsed = Answer.safeParse(JSON.parse(fromUtf8(body) ?? ''))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function denied(tool: string, reasons: readonly string[]): Verdict {
  const why = cutText(stripInvisible(reasons.join(', ')), GUARDRAIL_REASON_MAX_CHARS)
  const words = `Not run: the guardrail of this workspace refused ${tool}${why === '' ? '' : ` (${why})`}. Go on without it, or say what you could not do.`
  return { do: 'deny', policy: 'guardrail', words }
}
