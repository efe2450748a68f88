// What a key means in a box in which a message is written. Pure.

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>

/** `fingers`: no keyboard with keys is there, so Enter is how a line is broken; `empty`: nothing is written. */
export function meaningOf(
  pressed: Pressed,
  { fingers, empty }: { readonly fingers: boolean; readonly empty: boolean },
): 'send' | 'stop' | 'edit' | null {
  // While an input method composes a word, the key belongs to it; Safari tells that by the code alone.
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
