// Computes the nesting depth of a JSON text without parsing it: JSON.parse can handle depths that later code
// cannot.

export function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (isInString) {
      if (char === 0x5c) i++
      else if (char === 0x22) isInString = false
      continue
    }
    if (char === 0x22) isInString = true
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x7d || char === 0x5d) depth--
  }
  return deepest
}
