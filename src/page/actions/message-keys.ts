// Maps a key press in a message box to an action. Pure.

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>

/** `isTouch`: a touch screen, where Enter inserts a line break. `isEmpty`: the box has no text. */
export function messageKeyAction(
  press: KeyPress,
  { isTouch, isEmpty }: { readonly isTouch: boolean; readonly isEmpty: boolean },
): 'send' | 'steer' | 'stop' | 'edit' | null {
  // While an input method composes a word, keys belong to the input method. Safari signals this only by the key code.
  if (press.isComposing || press.keyCode === 229) return null
  const { key, shiftKey, ctrlKey, metaKey, altKey } = press
  if (key === 'Escape') return 'stop'
  if (key === 'Enter') {
    // On a touch screen, a button steers.
    if (ctrlKey || metaKey) return isTouch ? 'send' : 'steer'
    return shiftKey || altKey || isTouch ? null : 'send'
  }
  const hasNoModifier = !shiftKey && !ctrlKey && !metaKey && !altKey
  return key === 'ArrowUp' && isEmpty && hasNoModifier ? 'edit' : null
}
