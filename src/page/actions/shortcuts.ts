// What a key asks of the page, wherever the focus is. Pure; keys of the message box and of lists are theirs.

export type Act = 'search' | 'new' | 'write' | 'help'

export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** Null: nothing. `typing`: the focus is where text is written; `singles`: keys without Ctrl or ⌘ count (WCAG 2.1.4). */
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

/** Every key of the page, for who asks. `mod`: how Ctrl is called here. */
export function listed(
  mod: string,
): readonly { readonly keys: string; readonly does: string; readonly single?: true }[] {
  return [
    { keys: 'Enter', does: 'Send the message' },
    { keys: 'Shift Enter', does: 'A new line' },
    { keys: `${mod} Enter`, does: 'Send, on a phone’s keyboard too' },
    { keys: 'Esc', does: 'Stop the answer' },
    { keys: '↑', does: 'In an empty box: edit the last message' },
    { keys: `${mod} K`, does: 'Search threads' },
    { keys: `${mod} Shift O`, does: 'New thread' },
    { keys: '/', does: 'Go to the message box', single: true },
    { keys: '?', does: 'Show these keys', single: true },
  ]
}
