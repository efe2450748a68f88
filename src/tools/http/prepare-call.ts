// Prepares a call of an HTTP tool: checks the input, and fills in the request and its secrets. Sends nothing.

import type { Clock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { GuardedFetch, Outgoing } from '../../net/fetch.ts'
import { masker } from '../../secrets/masks.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import { checkInput } from './check-input.ts'
import { renderRequest, type Rendered } from './render.ts'
import type { HttpToolDefinition } from './shape.ts'

export interface HttpToolPorts {
  readonly fetch: GuardedFetch
  readonly secrets: Pick<SecretsPort, 'use' | 'brought'>
  /** Whether the operator allows secrets in URLs. The tool may have been stored under another setting. */
  readonly secretsInUrl: boolean
  readonly now: Clock
}

export interface PreparedCall {
  readonly request: Outgoing
  /** Hides the secrets of the request in a text. */
  readonly mask: (text: string) => string
}

/** The request without its secrets. The error describes the faults of the input. */
export function renderCall(definition: HttpToolDefinition, input: unknown): Result<Rendered, string> {
  const validInput = checkInput(definition.input_schema, input)
  return validInput.ok ? renderRequest(definition, validInput.value) : validInput
}

/** The detail of the error is for the model. Its code is `overloaded` if the secrets cannot be read now. */
export async function prepareCall(
  definition: HttpToolDefinition,
  { secrets, secretsInUrl }: Omit<HttpToolPorts, 'fetch' | 'now'>,
  input: unknown,
): Promise<Result<PreparedCall>> {
  const rendered = renderCall(definition, input)
  if (!rendered.ok) return fail('invalid_request', rendered.error)
  if (rendered.value.secretInUrl && !secretsInUrl)
    return fail('forbidden', 'it has a secret in its URL, which the operator of this server does not allow.')
  const values = await valuesOf(definition, rendered.value, secrets)
  if (!values.ok) return values
  const request = rendered.value.outgoing(values.value)
  if (!request.ok) return fail('forbidden', request.error)
  return ok({ request: request.value, mask: masker(values.value) })
}

/** The values of the secrets. Secrets of the chat request and stored secrets are separate and never replace each other. */
async function valuesOf(
  { request_secrets }: HttpToolDefinition,
  { secrets: names, host }: Rendered,
  secrets: Pick<SecretsPort, 'use' | 'brought'>,
): Promise<Result<ReadonlyMap<string, string>>> {
  const suppliedNames = names.filter((name) => request_secrets.includes(name))
  const storedNames = names.filter((name) => !request_secrets.includes(name))
  const none: Result<ReadonlyMap<string, string>> = ok(new Map())
  const supplied = suppliedNames.length > 0 ? await secrets.brought(suppliedNames) : none
  if (!supplied.ok) return supplied
  const storedValues = storedNames.length > 0 ? await secrets.use(storedNames, host) : none
  return storedValues.ok ? ok(new Map([...supplied.value, ...storedValues.value])) : storedValues
}
