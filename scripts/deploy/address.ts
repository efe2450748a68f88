// Where a deployed Worker is reached, from what wrangler names its targets.

/** Without a slash at its end; null: no target is an address that one could open (a pattern with a star in its host). */
export function deployAddress(targets: readonly string[]): string | null {
  for (const target of targets) {
    // `chat.example.com (custom domain)`, `example.com/* (zone name: example.com)`, `satchel.team.workers.dev`
    const host = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(target)?.[1]
    if (host !== undefined && !target.startsWith('schedule:')) return `https://${host}`
  }
  return null
}

/** `--url`, without a slash at its end; null: it is none. */
export function givenAddress(text: string): string | null {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return null
  return text.replace(/\/+$/, '')
}
