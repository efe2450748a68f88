// Decides which addresses Markdown may link to. Pure.

import { visibleLine } from '../../lib/visible.ts'
import { isFileName, isWrittenAddress, trimPunctuation } from '../../lib/written-address.ts'

/** The address if a link may lead to it, otherwise null. Only web and mail addresses are allowed. */
export function externalAddress(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/** Whether text that the parser linked as a bare address really is an address and not a file name. */
export function isBareAddress(linkText: string): boolean {
  return isWrittenAddress(linkText) || /^(?:mailto:|[^\s@:/]+@)[^\s@]+$/i.test(linkText)
}

/** Characters that look like the dots in a host name. NFKC normalizes only some of them. */
const LOOKALIKE_DOTS =
  /[\u3002\uFF61\u0701\u0702\u06D4\uA4F8\uA60E\u00B7\u2027\u2219\u22C5\u30FB\u0660\u06F0]/gu
/** A URL, or text that looks like a host in any script, with an optional port and path. */
const ADDRESS_OR_HOST =
  /[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]+|(?:(?:[\p{L}\p{M}\p{N}_-]+\.)+(?:[\p{L}\p{M}]|xn--)[\p{L}\p{M}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/**
 * ` (evil.example)` if the text of a link names a different host than its target; otherwise ''. The text is compared as a reader
 * sees it: without invisible characters, and with look-alikes normalized.
 */
export function realHostNote(text: string, href: string): string {
  const target = URL.parse(href)
  const host = target?.protocol === 'mailto:' ? target.pathname.replace(/^.*@/, '') : (target?.host ?? '')
  const address = visibleLine(text).normalize('NFKC').replace(LOOKALIKE_DOTS, '.').matchAll(ADDRESS_OR_HOST)
  return Array.from(address).some(([match]) => isOtherHost(match, host)) ? ` (${target?.host || href})` : ''
}

function isOtherHost(address: string, host: string): boolean {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address)
  const url = URL.parse(hasScheme ? trimPunctuation(address) : `https://${trimPunctuation(address)}`)
  // Text before an @ is user info, even if it looks like a host.
  if (url?.host === host && url.username === '') return false
  return hasScheme || !isFileName(address)
}
