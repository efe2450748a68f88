// Maps a key in a message box to an action. Pure.

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>

/** `fingers`: a touch screen, where Enter inserts a line break. `empty`: the box has no text. */
export function meaningOf(
  pressed: Pressed,
  { fingers, empty }: { readonly fingers: boolean; readonly empty: boolean },
): 'send' | 'stop' | 'edit' | null {
  // While an input method composes a word, the key belongs to it. Safari reports that only by the key code.
  if (pressed.isComposing || pressed.keyCode === 229) return null
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed
  if (key === 'Escape') return 'stop'
  if (key === 'Enter') {
    if (ctrlKey || metaKey) return 'send'
    return shiftKey || altKey || fingers ? null : 'send'
  }
  const plain = !shiftKey && !ctrlKey && !metaKey && !altKey
  return key === 'ArrowUp' && empty && plain ? 'edit' : null
}
