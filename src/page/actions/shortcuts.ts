// Maps a page-wide key press to an action. Pure. Keys of the message box and of lists are handled elsewhere.

export type ShortcutAction = 'search' | 'side' | 'new' | 'write' | 'help'

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/**
 * The action of a key press, or null if it has none. `isTyping`: a text field has the focus. `singleKeys`: single-key shortcuts are
 * turned on (WCAG 2.1.4).
 */
export function shortcutFor(press: KeyPress, isTyping: boolean, singleKeys: boolean): ShortcutAction | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = press
  if (altKey) return null
  if (ctrlKey !== metaKey && (ctrlKey || metaKey)) {
    if (key.toLowerCase() === 'k' && !shiftKey) return 'search'
    if (key.toLowerCase() === 'b' && !shiftKey) return 'side'
    return key.toLowerCase() === 'o' && shiftKey ? 'new' : null
  }
  if (ctrlKey || isTyping || !singleKeys) return null
  // `?` needs Shift on most keyboards, and `/` on some.
  if (key === '/') return 'write'
  return key === '?' ? 'help' : null
}

/** The platform's name for the Ctrl key. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
}

/** All shortcuts, for the help dialog. */
export function listShortcuts(
  modifier: string,
): readonly { readonly keys: string; readonly description: string; readonly isSingleKey?: true }[] {
  return [
    { keys: 'Enter', description: 'Send, or queue while the agent works' },
    { keys: 'Shift Enter', description: 'A new line' },
    { keys: `${modifier} Enter`, description: 'Send, or steer the answer while the agent works' },
    { keys: 'Esc', description: 'Stop the answer' },
    { keys: '↑', description: 'In an empty box: edit the last message' },
    { keys: `${modifier} K`, description: 'Search threads, skills and actions' },
    { keys: `${modifier} Shift O`, description: 'New thread' },
    { keys: `${modifier} B`, description: 'Show or hide the side bar' },
    { keys: '/', description: 'Go to the message box', isSingleKey: true },
    { keys: '?', description: 'Keyboard shortcuts', isSingleKey: true },
  ]
}
