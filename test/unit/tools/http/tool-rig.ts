// A tool definition with a server that records what reached it, and stored secrets.

import type { Tool, ToolCall, ToolResult } from '../../../../src/agent/tool.ts'
import { fail, ok, type Result } from '../../../../src/lib/result.ts'
import type { GuardedResponse, FetchFailure, FetchTerms, Outgoing } from '../../../../src/net/fetch.ts'
import { definitionDigest, parseDefinition } from '../../../../src/tools/http/definition.ts'
import type { HttpToolDefinition } from '../../../../src/tools/http/shape.ts'
import { httpTool } from '../../../../src/tools/http/tool.ts'

/** The time of the server's answers. */
export const NOW = Date.parse('2030-01-01T00:00:00Z')
export const SECRET = 'tok/en+value=12 34'

export function definitionOf(json: object): HttpToolDefinition {
  const parsed = parseDefinition(json)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.value
}

type Given = Partial<Omit<GuardedResponse, 'body'>> & { readonly body?: string | Uint8Array }
type Answering = (request: Outgoing, terms: FetchTerms) => Result<Given, FetchFailure>

export interface Rig {
  readonly tool: Tool
  readonly sent: Outgoing[]
  readonly terms: FetchTerms[]
  /** Secret look-ups, as `names host`. */
  readonly requested: string[]
  readonly call: (input: unknown) => Promise<ToolResult>
}

export async function rig(json: object, answering: Answering = () => ok({})): Promise<Rig> {
  const definition = definitionOf(json)
  const sent: Outgoing[] = []
  const terms: FetchTerms[] = []
  const requested: string[] = []
  const tool = httpTool(definition, await definitionDigest(definition), {
    fetch: async (request, given) => {
      sent.push(request)
      terms.push(given)
      const answer = answering(request, given)
      if (!answer.ok) return answer
      const { body = '', headers = { 'content-type': 'application/json' }, ...rest } = answer.value
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
      return ok({ status: 200, url: request.url, cut: false, headers, body: bytes, ...rest })
    },
    secretsInUrl: false,
    now: () => NOW,
    secrets: {
      use: async (names, host) => {
        requested.push(`${names.join(',')} ${host}`)
        if (host !== 'api.example.com')
          return fail('forbidden', `TOKEN is bound to another host than ${host}.`)
        return ok(new Map(names.map((name) => [name, SECRET])))
      },
      brought: async (names) => {
        requested.push(`${names.join(',')} of the request`)
        return fail('not_found', `The request brought no secret ${names.join(', ')}.`)
      },
    },
  })
  return { tool, sent, terms, requested, call: (input) => tool.run(input, CALL) }
}

const CALL: ToolCall = {
  runId: 'run_1',
  toolUseId: 'tu_1',
  idempotencyKey: 'run_1:tu_1',
  signal: new AbortController().signal,
  progress: () => undefined,
}
