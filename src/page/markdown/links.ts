// Which addresses a text may lead to. Pure.

import { isWrittenAddress, WRITTEN } from '../../lib/written-address.ts'

/** The address as it may stand in a link, or null: only the web and mail, each in its own tab. */
export function outward(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/** Whether what the parser took for a bare address is one, and no name of a file. */
export function isBareAddress(shown: string): boolean {
  return isWrittenAddress(shown) || /^(?:mailto:|[^\s@:/]+@)[^\s@]+$/i.test(shown)
}

/** ` (evil.example)` where the words of a link name another host than the one that it leads to; else nothing. */
export function hostBeside(words: string, href: string): string {
  const host = URL.parse(href)?.host ?? ''
  const named = Array.from(words.matchAll(WRITTEN), ([one]) =>
    /^https?:/i.test(one) ? one : `https://${one}/`,
  )
  return named.some(
    (one) => isWrittenAddress(one.replace(/^https:\/\//, '')) && URL.parse(one)?.host !== host,
  )
    ? ` (${host || href})`
    : ''
}
