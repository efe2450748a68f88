// The default of the "remember" checkbox in the key form, and the hint below it.

import type { KeyRole } from '../../lib/caller.ts'

/** Until the role is known, uses the default for chat keys, which most people have. */
export function remembersByDefault(role: KeyRole | null): boolean {
  return role === null || role === 'chat'
}

const STAYS = 'so it is kept only until you close this tab, unless you tick the box.'

export const REMEMBER_HINTS: Readonly<Record<KeyRole | 'unknown', string>> = {
  unknown: 'Publisher and admin keys are not remembered by default.',
  metrics: 'This key reads metrics only: it cannot be used here.',
  chat: 'A chat key. Untick the box if other people use this browser.',
  publisher: `A publisher’s key can change skills, ${STAYS}`,
  admin: `An admin’s key can change everything, ${STAYS}`,
}
