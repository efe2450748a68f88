// Which key sends what is being written.

/** Enter sends where there is a keyboard; on a phone it is a new line, and Ctrl or ⌘ with it sends everywhere. */
export function sendsBy(event: KeyboardEvent): boolean {
  // 229: an input method takes the key, and some browsers say so by this alone.
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  if (event.ctrlKey || event.metaKey) return true
  return !event.shiftKey && !matchMedia('(pointer: coarse) and (hover: none)').matches
}
