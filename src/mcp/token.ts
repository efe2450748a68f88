// Obtains an access token for a server with client credentials (OAuth 2.1): finds the authorization server over the
// metadata of the server, and asks it. Each request passes the guard, and nothing is redirected.

import type { Clock } from '../lib/clock.ts'
import { base64, utf8 } from '../lib/bytes.ts'
import { isObject } from '../lib/json-object.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { cutText } from '../lib/text.ts'
import type { FetchTerms, GuardedStream, Outgoing } from '../net/fetch.ts'
import { withMeta, statelessHeaders } from './headers.ts'
import {
  MCP_TOKEN_ANSWER_MAX_BYTES,
  MCP_TOKEN_LIFE_MS,
  MCP_TOKEN_MAX_CHARS,
  MCP_TOKEN_TIMEOUT_MS,
} from './limits.ts'
import { jsonIn, post, responseText } from './transport.ts'

type Json = Readonly<Record<string, unknown>>

export interface TokenClient {
  readonly url: string
  readonly clientId: string
  readonly scope: string | null
  /** The client's secret, if it may be sent to this host. */
  readonly secretFor: (host: string) => Promise<Result<string, string>>
}

interface Obtained {
  readonly value: string
  readonly expiresAt: number
}

/** The error is a message for people and models, without secrets. */
export async function obtainToken(
  stream: GuardedStream,
  client: TokenClient,
  now: Clock,
): Promise<Result<Obtained, string>> {
  const issuer = await issuerOf(stream, client.url)
  if (!issuer.ok) return issuer
  const metadata = await metadataOf(stream, issuer.value)
  if (!metadata.ok) return metadata
  const endpoint = URL.parse(String(metadata.value['token_endpoint']))
  if (!endpoint) return err(`The authorization server ${shown(issuer.value)} names no address for tokens.`)
  const grants: unknown = metadata.value['grant_types_supported']
  if (Array.isArray(grants) && !grants.includes('client_credentials'))
    return err(`The authorization server ${shown(issuer.value)} does not offer client credentials.`)
  const secret = await client.secretFor(endpoint.host)
  if (!secret.ok) return secret
  return request(stream, client, endpoint.href, secret.value, metadata.value, now)
}

async function request(
  stream: GuardedStream,
  { url, clientId, scope }: TokenClient,
  endpoint: string,
  secret: string,
  metadata: Json,
  now: Clock,
): Promise<Result<Obtained, string>> {
  const methods: unknown = metadata['token_endpoint_auth_methods_supported']
  const inBody = Array.isArray(methods) && !methods.includes('client_secret_basic')
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    resource: url,
    ...(scope === null ? {} : { scope }),
    ...(inBody ? { client_id: clientId, client_secret: secret } : {}),
  })
  const credentials = [clientId, secret].map((part) => encodeURIComponent(part)).join(':')
  const answer = await send(stream, {
    method: 'POST',
    url: endpoint,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(inBody ? {} : { Authorization: `Basic ${base64(utf8(credentials))}` }),
    },
    body: form.toString(),
  })
  if (!answer.ok) return answer
  const { status, json } = answer.value
  const { access_token: value, token_type: type, expires_in: seconds, error } = json ?? {}
  if (status !== 200) {
    // Only a code of the standard is repeated, because the answer may contain the secret.
    const why = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : ''
    return err(`The authorization server issued no token: HTTP ${status}${why}.`)
  }
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  if (
    !isBearer ||
    typeof value !== 'string' ||
    !/^[\x21-\x7e]+$/.test(value) ||
    value.length > MCP_TOKEN_MAX_CHARS
  )
    return err('The authorization server answered without a bearer token.')
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : MCP_TOKEN_LIFE_MS
  // Replaced before it expires on its way.
  return ok({ value, expiresAt: now() + Math.max(lifeMs / 2, lifeMs - MCP_TOKEN_TIMEOUT_MS) })
}

/** The authorization server that the metadata of the server names (RFC 9728). */
async function issuerOf(stream: GuardedStream, url: string): Promise<Result<string, string>> {
  const { origin, pathname } = new URL(url)
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const named = await namedMetadata(stream, url)
  const candidates = new Set([...named, ...(pathname === '/' ? [] : [`${wellKnown}${pathname}`]), wellKnown])
  for (const candidate of candidates) {
    const answer = await send(stream, readRequest(candidate))
    if (!answer.ok) return answer
    const { status, json } = answer.value
    if (status !== 200 || json === null) continue
    // Otherwise a server could have a token issued for another one.
    if (!covers(json['resource'], url)) return err('The metadata of the server is about another resource.')
    const servers: unknown = json['authorization_servers']
    const [issuer] = Array.isArray(servers) ? (servers as readonly unknown[]) : []
    return typeof issuer === 'string' && URL.canParse(issuer)
      ? ok(issuer)
      : err('The metadata of the server names no authorization server.')
  }
  return err('The server publishes no metadata about its authorization (RFC 9728).')
}

/** The address of the metadata that the server names in its answer to a request without a token. */
async function namedMetadata(stream: GuardedStream, url: string): Promise<readonly string[]> {
  const target = { url, headers: statelessHeaders('tools/list', {}) }
  const message = { method: 'tools/list', params: withMeta({}), id: 1 }
  const answer = await post(
    stream,
    target,
    message,
    terms(),
    async ({ headers }) => headers['www-authenticate'],
  )
  const [, address] = answer.ok ? (/\bresource_metadata="([^"]+)"/i.exec(answer.value ?? '') ?? []) : []
  return address !== undefined && URL.canParse(address) ? [address] : []
}

function covers(resource: unknown, url: string): boolean {
  const named = typeof resource === 'string' ? URL.parse(resource) : null
  const { origin, pathname } = new URL(url)
  if (named?.origin !== origin) return false
  return pathname === named.pathname || pathname.startsWith(`${named.pathname.replace(/\/$/, '')}/`)
}

/** The metadata of an authorization server (RFC 8414, or OpenID Connect), which must be about exactly this one. */
async function metadataOf(stream: GuardedStream, issuer: string): Promise<Result<Json, string>> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const oidc = '/.well-known/openid-configuration'
  for (const address of new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${oidc}${path}`,
    `${origin}${path}${oidc}`,
  ])) {
    const answer = await send(stream, readRequest(address))
    if (!answer.ok) return answer
    const { status, json } = answer.value
    if (status !== 200 || json === null) continue
    return json['issuer'] === issuer
      ? ok(json)
      : err(`The metadata of the authorization server ${shown(issuer)} names another issuer.`)
  }
  return err(`The authorization server ${shown(issuer)} publishes no metadata (RFC 8414).`)
}

function readRequest(url: string): Outgoing {
  return { method: 'GET', url, headers: { Accept: 'application/json' }, body: null }
}

async function send(
  stream: GuardedStream,
  outgoing: Outgoing,
): Promise<Result<{ readonly status: number; readonly json: Json | null }, string>> {
  const answer = await stream(outgoing, terms(), async (response) => {
    const json = jsonIn(await responseText(response))
    return { status: response.status, json: isObject(json) ? json : null }
  })
  return answer.ok ? answer : err(answer.error.detail)
}

function terms(): FetchTerms {
  const { signal } = new AbortController()
  return { signal, timeoutMs: MCP_TOKEN_TIMEOUT_MS, maxBytes: MCP_TOKEN_ANSWER_MAX_BYTES, maxRedirects: 0 }
}

function shown(address: string): string {
  return cutText(address, 200)
}
