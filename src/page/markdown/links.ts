// Which addresses a text may lead to. Pure.

import { visibleLine } from '../../lib/visible.ts'
import { isFileName, isWrittenAddress, withoutEnd } from '../../lib/written-address.ts'

/** The address as it may stand in a link, or null: only the web and mail, each in its own tab. */
export function outward(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) ? href : null
}

/** Whether what the parser took for a bare address is one, and no name of a file. */
export function isBareAddress(shown: string): boolean {
  return isWrittenAddress(shown) || /^(?:mailto:|[^\s@:/]+@)[^\s@]+$/i.test(shown)
}

/** Dots of other scripts and forms, in what a person takes for a host. NFKC knows some of them. */
const DOTS = /[\u3002\uFF61\u0701\u0702\u06D4\uA4F8\uA60E\u00B7\u2027\u2219\u22C5\u30FB\u0660\u06F0]/gu
/** A whole address; or what reads as a host, of whatever letters, with a port and a path, wherever it stands in the words. */
const NAMED =
  /[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]+|(?:(?:[\p{L}\p{M}\p{N}_-]+\.)+(?:[\p{L}\p{M}]|xn--)[\p{L}\p{M}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/**
 * ` (evil.example)` where the words of a link name another host than the one that it leads to; else nothing. Read as they
 * look: without what nobody sees, and forms of characters as these.
 */
export function hostBeside(text: string, href: string): string {
  const goal = URL.parse(href)
  const host = goal?.protocol === 'mailto:' ? goal.pathname.replace(/^.*@/, '') : (goal?.host ?? '')
  const named = visibleLine(text).normalize('NFKC').replace(DOTS, '.').matchAll(NAMED)
  return Array.from(named).some(([one]) => namesOther(one, host)) ? ` (${goal?.host || href})` : ''
}

function namesOther(named: string, host: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.test(named)
  const url = URL.parse(scheme ? withoutEnd(named) : `https://${withoutEnd(named)}`)
  // What stands before an @ is no host, and looks like one.
  if (url?.host === host && url.username === '') return false
  return scheme || !isFileName(named)
}
