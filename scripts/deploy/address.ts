// Determines the address of a deployed Worker.

/** The address of the first target that can be opened, without a trailing slash; null if there is none. */
export function deployAddress(targets: readonly string[]): string | null {
  for (const target of targets) {
    // Targets look like `chat.example.com (custom domain)`, `example.com/* (zone name: example.com)` or
    // `satchel.team.workers.dev`.
    const host = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i.exec(target)?.[1]
    if (host !== undefined && !target.startsWith('schedule:')) return `https://${host}`
  }
  return null
}

/** The value of `--url` without a trailing slash; null if it is not an address. */
export function addressFromFlag(text: string): string | null {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return null
  return text.replace(/\/+$/, '')
}
