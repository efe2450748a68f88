// An address in three, so that who is asked sees first whom it goes to. Pure; the three together are the address as it came.

export interface UrlParts {
  readonly before: string
  readonly host: string
  readonly after: string
}

export function partsOfUrl(url: string): UrlParts {
  // The host ends at a port, a path, a query, a fragment or a backslash, which browsers take for a slash; what stands before an
  // @ is none, however much it looks like one.
  const [, before = '', host = '', after = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\]*@)?)([^/?#\\]*)(.*)$/isu.exec(url) ?? []
  return host === '' ? { before: '', host: '', after: url } : { before, host, after }
}
