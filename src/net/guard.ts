// Decides where a request may go, only by its parsed URL. Pure: resolves no names, so the resolved address is
// checked by the connection (src/net/guarded-fetch.ts, docs/threat-model.md). Each redirect is checked again.

import { hostAndPort, hostAndPortOf, hostPattern, matchesHost, withoutTrailingDot } from '../lib/hosts.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { URL_MAX_CHARS } from '../limits/net.ts'
import { ipAddressOf, isPublic } from './addresses.ts'

/** The lists as people wrote them; an invalid entry matches nothing. */
export interface GuardPolicy {
  /** `example.com` or `*.example.com`. If empty, every public host is allowed. */
  readonly allowHosts: readonly string[]
  /** Takes precedence over `allowHosts`. */
  readonly denyHosts: readonly string[]
  /** Exact `host:port` pairs that the operator allows, wherever they are, even over http. */
  readonly privateHosts: readonly string[]
}

/** `private`: listed by the operator, so the resolved address is not checked. */
export type NetworkZone = 'public' | 'private'

/**
 * Top-level labels of names that are never public: RFC 6761, 6762, 7686, 8375, 9476, ICANN's list of
 * collisions, and common practice.
 */
const PRIVATE_ZONES = new Set(
  'localhost local localdomain internal intranet private corp home lan mail arpa onion alt test svc'.split(
    ' ',
  ),
)
/** Public zones whose names resolve to the address that they contain, or to 127.0.0.1. */
const MIRROR_ZONES =
  'nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com local.gd localhost.direct traefik.me fuf.me'
    .split(' ')
    .map((zone) => `*.${zone}`)

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+$/

/**
 * Returns the network zone of a request, or why it is refused, as the end of a sentence that begins with its
 * address.
 */
export function judgeUrl(url: URL, policy: GuardPolicy): Result<NetworkZone, string> {
  if (url.href.length > URL_MAX_CHARS) return err(`is longer than ${URL_MAX_CHARS} characters`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('is not an https address')
  if (url.username !== '' || url.password !== '')
    return err('contains a user name or a password: leave them out')
  const host = withoutTrailingDot(url.hostname)
  const hostListProblem = listProblem(host, policy)
  if (hostListProblem !== null) return err(hostListProblem)
  const address = hostAndPortOf(url)
  if (policy.privateHosts.some((hostEntry) => hostAndPort(hostEntry) === address)) return ok('private')
  if (url.protocol === 'http:') return err('is not encrypted: only https is allowed')
  if (url.port !== '') return err(`names port ${url.port}: only the default port of https is allowed`)
  const problem = whyNotPublic(host, policy)
  return problem === null ? ok('public') : err(problem)
}

/** Whether the URL's host is one of these `host:port` pairs, on any port. */
export function isNamedHost(url: URL, hosts: readonly string[]): boolean {
  const host = withoutTrailingDot(url.hostname)
  return hosts.some((hostEntry) => hostAndPort(hostEntry)?.replace(/:\d+$/, '') === host)
}

function listProblem(host: string, { allowHosts, denyHosts }: GuardPolicy): string | null {
  if (isListed(denyHosts, host)) return 'is on a host that this workspace denies'
  if (allowHosts.length > 0 && !isListed(allowHosts, host))
    return 'is on a host that this workspace does not allow'
  return null
}

function isListed(list: readonly string[], host: string): boolean {
  return list.some((entry) => {
    const pattern = hostPattern(entry)
    return pattern !== null && matchesHost(pattern, host)
  })
}

function whyNotPublic(host: string, { allowHosts }: GuardPolicy): string | null {
  const address = ipAddressOf(host)
  if (address && !isPublic(address)) return 'is an address of a private or reserved network'
  // A non-empty allow list has admitted the address, so it lists exactly this address.
  if (address) return allowHosts.length > 0 ? null : 'is a bare address: only names of hosts are allowed'
  const labels = host.split('.')
  if (!HOST_NAME.test(host)) return 'is not on a public host name'
  if (PRIVATE_ZONES.has(labels.at(-1) ?? ''))
    return `is on a name below .${labels.at(-1)}, which is never public`
  if (MIRROR_ZONES.some((zone) => matchesHost(zone, `.${host}`)))
    return 'is on a name that resolves to any address'
  return null
}
