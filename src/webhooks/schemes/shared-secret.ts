// Verifies deliveries that contain the secret itself. Weaker than a signature: whoever sees one delivery can forge others.

import { base64, equalInConstantTime, sha256Hex, utf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { plainId } from './ids.ts'
import { singleHeader, type DeliveryHeaders, type Verify } from './scheme.ts'
import { verifyStandard } from './standard.ts'

/**
 * GitLab: a signing token makes GitLab sign as Standard Webhooks; a secret token is sent as it is. While a token of one kind
 * replaces one of the other kind, both are valid.
 */
export const verifyGitlab: Verify = async (secrets, delivery, options) => {
  const { headers } = delivery
  const signing = secrets.filter((secret) => secret.startsWith('whsec_'))
  const plain = secrets.filter((secret) => !secret.startsWith('whsec_'))
  const isSigned = singleHeader(headers, 'webhook-signature').ok
  if (plain.length === 0 || (signing.length > 0 && isSigned))
    return verifyStandard(signing, delivery, options)
  const token = singleHeader(headers, 'x-gitlab-token')
  if (!token.ok) return token
  if (!(await isOneOf(token.value, plain))) return err('x-gitlab-token does not match')
  // GitLab repeats a delivery under the same key; older versions have only the event's ID.
  const id = plainId(headers, 'idempotency-key') ?? plainId(headers, 'x-gitlab-event-uuid')
  return ok({ id, handshake: null })
}

export const verifyBearer: Verify = async (secrets, { headers }) => authorized(headers, 'Bearer', secrets)

/** A secret is `user:password`. */
export const verifyBasic: Verify = async (secrets, { headers }) =>
  authorized(
    headers,
    'Basic',
    secrets.map((secret) => base64(utf8(secret))),
  )

async function authorized(
  headers: DeliveryHeaders,
  kind: string,
  expected: readonly string[],
): Promise<Result<{ readonly id: null; readonly handshake: null }, string>> {
  const header = singleHeader(headers, 'authorization')
  if (!header.ok) return header
  const [scheme = '', value = '', ...more] = header.value.split(' ')
  if (scheme.toLowerCase() !== kind.toLowerCase() || more.length > 0)
    return err(`authorization is not ${kind}`)
  return (await isOneOf(value, expected))
    ? ok({ id: null, handshake: null })
    : err('authorization does not match')
}

/** Compares hashes, so that the time reveals neither content nor length. */
async function isOneOf(text: string, secrets: readonly string[]): Promise<boolean> {
  const actual = await sha256Hex(text)
  let matches = 0
  for (const secret of secrets) if (equalInConstantTime(actual, await sha256Hex(secret))) matches++
  return matches > 0
}
