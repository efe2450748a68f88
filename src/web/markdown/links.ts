// Which addresses a text may lead to. Pure.

/** The address as it may stand in a link, or null: only the web and mail, each in its own tab. */
export function outward(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/**
 * Whether what the parser took for a bare address is one: GitHub links `www.` and what has a scheme, while `README.md` and
 * `main.rs`, which end like domains, are names of files.
 */
export function isBareAddress(shown: string): boolean {
  return /^(?:https?:\/\/|mailto:|www\.)/i.test(shown) || /^[^\s@:/]+@[^\s@]+$/.test(shown)
}
