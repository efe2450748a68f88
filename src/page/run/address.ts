// Splits a URL so that an approval can stress its host. Pure. The three parts together are the URL unchanged.

export interface UrlParts {
  readonly before: string
  readonly host: string
  readonly after: string
}

export function partsOfUrl(url: string): UrlParts {
  // The host ends at a port, path, query, fragment or backslash, which browsers treat as a slash. Text before an @ is user info,
  // even if it looks like a host.
  const [, before = '', host = '', after = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\]*@)?)([^/?#\\]*)(.*)$/isu.exec(url) ?? []
  return host === '' ? { before: '', host: '', after: url } : { before, host, after }
}
