// Which addresses a text may lead to. Pure.

import { isWrittenAddress } from '../../lib/written-address.ts'

/** The address as it may stand in a link, or null: only the web and mail, each in its own tab. */
export function outward(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/** Whether what the parser took for a bare address is one, and no name of a file. */
export function isBareAddress(shown: string): boolean {
  return isWrittenAddress(shown) || /^(?:mailto:|[^\s@:/]+@)[^\s@]+$/i.test(shown)
}
