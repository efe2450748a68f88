// The address of a deployed Worker, from wrangler's list of targets.

/** Without a trailing slash; null if no target can be opened (such as a pattern with a star in its host). */
export function deployAddress(targets: readonly string[]): string | null {
  for (const target of targets) {
    // `chat.example.com (custom domain)`, `example.com/* (zone name: example.com)`, `satchel.team.workers.dev`
    const host = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(target)?.[1]
    if (host !== undefined && !target.startsWith('schedule:')) return `https://${host}`
  }
  return null
}

/** `--url` without a trailing slash; null if it is not an address. */
export function givenAddress(text: string): string | null {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return null
  return text.replace(/\/+$/, '')
}
