// Normalizes host names in lists to the form of a parsed URL. Resolves nothing and allows nothing.

/** A host in the form of `URL.hostname`, without the root's dot; null if invalid. */
function plainHost(text: string): string | null {
  if (!/^[^\s/?#@\\:%*]+$|^\[[0-9a-f:.]+\]$/i.test(text)) return null
  try {
    return withoutRoot(new URL(`https://${text}/`).hostname) || null
  } catch {
    return null
  }
}

/** `example.com.` becomes `example.com`. */
export function withoutRoot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** `example.com`, or `*.example.com` for all names below it, normalized; null for anything else. */
export function hostPattern(text: string): string | null {
  const below = text.startsWith('*.')
  const host = plainHost(below ? text.slice(2) : text)
  if (host === null || (below && /^\[|^[\d.]+$/.test(host))) return null
  return below ? `*.${host}` : host
}

/** `host`: of a parsed URL, without the root's dot. `pattern`: from hostPattern. */
export function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** Normalized `host:port`; null unless the text is exactly that. */
export function hostAndPort(text: string): string | null {
  const cut = text.lastIndexOf(':')
  const host = plainHost(text.slice(0, cut))
  const port = text.slice(cut + 1)
  if (cut < 1 || host === null || !/^\d{1,5}$/.test(port)) return null
  return Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : null
}

/** The same of a URL, whose port may be the scheme's default. */
export function hostAndPortOf(url: URL): string {
  return `${withoutRoot(url.hostname)}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`
}
