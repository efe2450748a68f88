// Obtains an access token for a server with client credentials (OAuth 2.1): finds the authorization server through the
// metadata of the server, and requests it there. Each request passes the guard, and nothing is redirected. The server chooses these
// addresses, so a private host is reached only if it is the server's own, or if the client's secret is stored for it.

import type { Clock } from '../lib/clock.ts'
import { base64, utf8 } from '../lib/bytes.ts'
import { isObject } from '../lib/json-object.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { FetchTerms, GuardedStream, Outgoing } from '../net/fetch.ts'
import { withMeta, statelessHeaders } from './headers.ts'
import {
  MCP_TOKEN_ANSWER_MAX_BYTES,
  MCP_TOKEN_LIFE_MAX_MS,
  MCP_TOKEN_LIFE_MS,
  MCP_TOKEN_MAX_CHARS,
  MCP_TOKEN_MIN_CHARS,
  MCP_TOKEN_TIMEOUT_MS,
  MCP_TOKEN_WORK_TIMEOUT_MS,
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

/** How requests are sent. */
interface Way {
  readonly stream: GuardedStream
  readonly terms: () => FetchTerms
}

/** The error is a message for people and models, without secrets; it may contain addresses that the server chose. */
export async function obtainToken(
  stream: GuardedStream,
  client: TokenClient,
  now: Clock,
  signal: AbortSignal,
): Promise<Result<Obtained, string>> {
  const endsAt = now() + MCP_TOKEN_WORK_TIMEOUT_MS
  const wayTo = (privateOrigin: string): Way => ({
    stream,
    terms: () => ({
      signal,
      timeoutMs: Math.max(1, Math.min(MCP_TOKEN_TIMEOUT_MS, endsAt - now())),
      maxBytes: MCP_TOKEN_ANSWER_MAX_BYTES,
      maxRedirects: 0,
      privateOrigin,
    }),
  })
  const { origin: own } = new URL(client.url)
  const issuer = await issuerOf(wayTo(own), client.url)
  if (!issuer.ok) return issuer
  const { host, origin } = new URL(issuer.value)
  const isAdmins = (await client.secretFor(host)).ok
  const metadata = await metadataOf(wayTo(isAdmins ? origin : own), issuer.value)
  if (!metadata.ok) return metadata
  const endpoint = URL.parse(String(metadata.value['token_endpoint']))
  if (!endpoint) return err(`The authorization server ${shown(issuer.value)} has no token endpoint.`)
  const grants: unknown = metadata.value['grant_types_supported']
  if (Array.isArray(grants) && !grants.includes('client_credentials'))
    return err(
      `The authorization server ${shown(issuer.value)} does not support the client_credentials grant.`,
    )
  const secret = await client.secretFor(endpoint.host)
  if (!secret.ok) return secret
  return request(wayTo(endpoint.origin), client, endpoint.href, secret.value, metadata.value, now)
}

async function request(
  way: Way,
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
  const answer = await send(way, {
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
    // Only an error code of the standard is quoted, because the answer may contain the secret.
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
  if (value.length < MCP_TOKEN_MIN_CHARS)
    return err(`The authorization server issued a token shorter than ${MCP_TOKEN_MIN_CHARS} characters.`)
  const statedMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : MCP_TOKEN_LIFE_MS
  const lifeMs = Math.min(statedMs, MCP_TOKEN_LIFE_MAX_MS)
  // Earlier than the server says, so that a token does not expire while a request with it is under way.
  return ok({ value, expiresAt: now() + Math.max(lifeMs / 2, lifeMs - MCP_TOKEN_TIMEOUT_MS) })
}

/** The authorization server that the metadata of the server names (RFC 9728). */
async function issuerOf(way: Way, url: string): Promise<Result<string, string>> {
  const { origin, pathname } = new URL(url)
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const named = await namedMetadata(way, url)
  const candidates = new Set([...named, ...(pathname === '/' ? [] : [`${wellKnown}${pathname}`]), wellKnown])
  for (const candidate of candidates) {
    const answer = await send(way, readRequest(candidate))
    if (!answer.ok) return answer
    const { status, json } = answer.value
    if (status !== 200 || json === null) continue
    // Otherwise a server could have a token issued for another one.
    if (!covers(json['resource'], url)) return err("The server's metadata is for another resource.")
    const servers: unknown = json['authorization_servers']
    const [issuer] = Array.isArray(servers) ? (servers as readonly unknown[]) : []
    return typeof issuer === 'string' && /^https?:$/.test(URL.parse(issuer)?.protocol ?? '')
      ? ok(issuer)
      : err("The server's metadata names no authorization server.")
  }
  return err('The server publishes no protected resource metadata (RFC 9728).')
}

/** The address of the metadata, on its own origin, that the server names in its answer to a request without a token. */
async function namedMetadata({ stream, terms }: Way, url: string): Promise<readonly string[]> {
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
  return address !== undefined && URL.parse(address)?.origin === new URL(url).origin ? [address] : []
}

function covers(resource: unknown, url: string): boolean {
  const named = typeof resource === 'string' ? URL.parse(resource) : null
  const { origin, pathname } = new URL(url)
  if (named?.origin !== origin) return false
  return pathname === named.pathname || pathname.startsWith(`${named.pathname.replace(/\/$/, '')}/`)
}

/** The metadata of an authorization server (RFC 8414, or OpenID Connect), which must be about exactly this one. */
async function metadataOf(way: Way, issuer: string): Promise<Result<Json, string>> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const oidc = '/.well-known/openid-configuration'
  for (const address of new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${oidc}${path}`,
    `${origin}${path}${oidc}`,
  ])) {
    const answer = await send(way, readRequest(address))
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
  { stream, terms }: Way,
  outgoing: Outgoing,
): Promise<Result<{ readonly status: number; readonly json: Json | null }, string>> {
  const answer = await stream(outgoing, terms(), async (response) => {
    const json = jsonIn(await responseText(response))
    return { status: response.status, json: isObject(json) ? json : null }
  })
  return answer.ok ? answer : err(answer.error.detail)
}

/** Models read the address, so it contains no path or query that a server chose. */
function shown(address: string): string {
  return new URL(address).origin
}
