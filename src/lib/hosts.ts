// Normalizes host names in lists to the form they have in a parsed URL. Does not resolve names or decide
// which hosts are allowed.

/** A host in the form of `URL.hostname`, without a trailing dot; null if invalid. */
function normalizeHost(text: string): string | null {
  if (!/^[^\s/?#@\\:%*]+$|^\[[0-9a-f:.]+\]$/i.test(text)) return null
  try {
    return withoutTrailingDot(new URL(`https://${text}/`).hostname) || null
  } catch {
    return null
  }
}

/** Removes a trailing dot: `example.com.` becomes `example.com`. */
export function withoutTrailingDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** Normalizes `example.com`, or `*.example.com` for all names below it. Returns null for anything else. */
export function hostPattern(text: string): string | null {
  const isWildcard = text.startsWith('*.')
  const host = normalizeHost(isWildcard ? text.slice(2) : text)
  if (host === null || (isWildcard && /^\[|^[\d.]+$/.test(host))) return null
  return isWildcard ? `*.${host}` : host
}

/** `host` is the host of a parsed URL without a trailing dot. `pattern` must come from hostPattern. */
export function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** Normalizes `host:port`. Returns null if the text is anything else. */
export function hostAndPort(text: string): string | null {
  const colon = text.lastIndexOf(':')
  const host = normalizeHost(text.slice(0, colon))
  const port = text.slice(colon + 1)
  if (colon < 1 || host === null || !/^\d{1,5}$/.test(port)) return null
  return Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : null
}

/** The `host:port` of a URL, whose port may be the default of its scheme. */
export function hostAndPortOf(url: URL): string {
  return `${withoutTrailingDot(url.hostname)}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`
}
