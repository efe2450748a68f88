// Maps a page-wide key to an action. Pure. Ignores the keys of the message box and of lists.

export type Act = 'search' | 'new' | 'write' | 'help'

export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** `typing`: a text field has the focus. `singles`: single-key shortcuts are on (WCAG 2.1.4). Null: no action. */
export function shortcutOf(press: Press, typing: boolean, singles: boolean): Act | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = press
  if (altKey) return null
  if (ctrlKey !== metaKey && (ctrlKey || metaKey)) {
    if (key.toLowerCase() === 'k' && !shiftKey) return 'search'
    return key.toLowerCase() === 'o' && shiftKey ? 'new' : null
  }
  if (ctrlKey || typing || !singles) return null
  // `?` needs Shift on most keyboards, and `/` on some.
  if (key === '/') return 'write'
  return key === '?' ? 'help' : null
}

/** All shortcuts, for the help dialog. `mod`: the name of Ctrl on this platform. */
export function listed(
  mod: string,
): readonly { readonly keys: string; readonly does: string; readonly single?: true }[] {
  return [
    { keys: 'Enter', does: 'Send the message' },
    { keys: 'Shift Enter', does: 'A new line' },
    { keys: `${mod} Enter`, does: 'Send, also from a phone’s keyboard' },
    { keys: 'Esc', does: 'Stop the answer' },
    { keys: '↑', does: 'In an empty box: edit the last message' },
    { keys: `${mod} K`, does: 'Search threads' },
    { keys: `${mod} Shift O`, does: 'New thread' },
    { keys: '/', does: 'Go to the message box', single: true },
    { keys: '?', does: 'Show these keys', single: true },
  ]
}
