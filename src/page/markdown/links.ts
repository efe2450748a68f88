// Which addresses Markdown may link to. Pure.

import { visibleLine } from '../../lib/visible.ts'
import { isFileName, isWrittenAddress, trimPunctuation } from '../../lib/written-address.ts'

/** The address for a link, or null. Only web and mail addresses are allowed; each opens in its own tab. */
export function outward(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/** Whether what the parser took for a bare address is one, and not a file name. */
export function isBareAddress(shown: string): boolean {
  return isWrittenAddress(shown) || /^(?:mailto:|[^\s@:/]+@)[^\s@]+$/i.test(shown)
}

/** Characters that look like dots in a host name. NFKC normalizes only some of them. */
const DOTS = /[\u3002\uFF61\u0701\u0702\u06D4\uA4F8\uA60E\u00B7\u2027\u2219\u22C5\u30FB\u0660\u06F0]/gu
/** A URL, or text that reads as a host in any script, with a port and a path. */
const NAMED =
  /[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]+|(?:(?:[\p{L}\p{M}\p{N}_-]+\.)+(?:[\p{L}\p{M}]|xn--)[\p{L}\p{M}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/**
 * ` (evil.example)` if the text of a link names another host than its target; otherwise ''. Compares the text as it looks:
 * without invisible characters, and with look-alikes normalized.
 */
export function hostBeside(text: string, href: string): string {
  const goal = URL.parse(href)
  const host = goal?.protocol === 'mailto:' ? goal.pathname.replace(/^.*@/, '') : (goal?.host ?? '')
  const named = visibleLine(text).normalize('NFKC').replace(DOTS, '.').matchAll(NAMED)
  return Array.from(named).some(([one]) => namesOther(one, host)) ? ` (${goal?.host || href})` : ''
}

function namesOther(named: string, host: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.test(named)
  const url = URL.parse(scheme ? trimPunctuation(named) : `https://${trimPunctuation(named)}`)
  // Text before an @ is user info, even if it looks like a host.
  if (url?.host === host && url.username === '') return false
  return scheme || !isFileName(named)
}
