// Decides whether a callback's URL is under the URL of an endpoint. Pure.

/**
 * Whether `url` has the origin of `base`, and its path is that of `base` or continues it after a slash. Both must be valid
 * URLs. A path with an encoded slash or backslash is under nothing, because a server may decode it.
 */
export function isUnder(url: string, base: string): boolean {
  const [inner, outer] = [URL.parse(url), URL.parse(base)]
  if (!inner || !outer || inner.origin !== outer.origin || inner.username + inner.password !== '')
    return false
  if (/%2f|%5c/i.test(inner.pathname)) return false
  const folder = outer.pathname.endsWith('/') ? outer.pathname : `${outer.pathname}/`
  return inner.pathname === outer.pathname || inner.pathname.startsWith(folder)
}

/** Returns the endpoint whose URL contains this one; if there are several, the one with the longest URL. */
export function endpointOver<T extends { readonly url: string }>(
  url: string,
  endpoints: readonly T[],
): T | null {
  const over = endpoints.filter((endpoint) => isUnder(url, endpoint.url))
  return over.toSorted((a, b) => b.url.length - a.url.length)[0] ?? null
}
