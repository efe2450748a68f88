// Splits a URL so that an approval can emphasize its host. Pure. Joined together, the three parts are the unchanged URL.

export interface UrlParts {
  readonly before: string
  readonly host: string
  readonly after: string
}

export function partsOfUrl(url: string): UrlParts {
  // The host, with its port, ends at a path, query, fragment or backslash; browsers treat a backslash as a slash. Text before an
  // @ is user info, even if it looks like a host.
  const [, before = '', host = '', after = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\]*@)?)([^/?#\\]*)(.*)$/isu.exec(url) ?? []
  return host === '' ? { before: '', host: '', after: url } : { before, host, after }
}
