// Decides how much of a growing text the next update shows. Pure.

import { UPDATE_CHARS_MAX } from './limits.ts'

/** `text`, or its beginning if it is much longer than what is shown. Ends at the end of a line if there is one. */
export function nextPart(shown: string, text: string): string {
  const end = shown.length + UPDATE_CHARS_MAX
  if (text.length <= end || !text.startsWith(shown)) return text
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1
  if (lineEnd > shown.length) return text.slice(0, lineEnd)
  const isHalfCharacter = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  return text.slice(0, isHalfCharacter ? end - 1 : end)
}
