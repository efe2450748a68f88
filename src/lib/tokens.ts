// Estimates model tokens by kind of character, and cuts text to an estimate. Used until the model reports its count.
//
// Measured with the published tokenizers of older models (@anthropic-ai/tokenizer 0.0.4, cl100k_base) on a sentence per
// language, in tokens per UTF-16 code unit: English 0.18, code 0.33, JSON 0.39, Russian 0.5, Arabic 0.8, Hebrew and Greek
// 0.9 to 1.1, Vietnamese's accented letters 1, Chinese 1.0, Japanese 1.2, Korean 1.1, Hindi 1.0, Thai 1.0 to 1.7, emoji 1.3
// to 1.5. Newer tokenizers need fewer for most scripts. A real count may differ by half; a request that is too long for
// its window is still refused by the API and then shortened.

/** Estimated quarters of a token for one UTF-16 code unit: one for ASCII, two for Cyrillic, four for the others. */
function quartersOf(unit: number): number {
  if (unit < 0x80) return 1
  return unit >= 0x400 && unit < 0x530 ? 2 : 4
}

/** A rough estimate of model tokens, at least one for non-empty text. */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let at = 0; at < text.length; at++) quarters += quartersOf(text.charCodeAt(at))
  return Math.ceil(quarters / 4)
}

/** The number of code units at the beginning of the text that are about `max` tokens. */
function unitsWithin(text: string, max: number): number {
  let left = max * 4
  for (let at = 0; at < text.length; at++) {
    left -= quartersOf(text.charCodeAt(at))
    if (left < 0) return at
  }
  return text.length
}

/** The same at the end of the text. */
function lastUnitsWithin(text: string, max: number): number {
  let left = max * 4
  for (let at = text.length - 1; at >= 0; at--) {
    left -= quartersOf(text.charCodeAt(at))
    if (left < 0) return text.length - 1 - at
  }
  return text.length
}

/** The beginning of a text of about `max` tokens. */
export function headOfTokens(text: string, max: number): string {
  // Without the first half of a character that does not fit.
  return text.slice(0, unitsWithin(text, max)).replace(/[\uD800-\uDBFF]$/, '')
}

/** Cuts text to about `max` tokens, including an ellipsis if it was cut. */
export function cutToTokens(text: string, max: number): string {
  return estimateTokens(text) <= max ? text : `${headOfTokens(text, Math.max(0, max - 1))}…`
}

/** Cuts text to about `max` tokens: two thirds of them from its beginning, one third from its end. */
export function cutMiddleToTokens(text: string, max: number): string {
  if (estimateTokens(text) <= max) return text
  const tailTokens = Math.floor(max / 3)
  const head = headOfTokens(text, Math.max(0, max - tailTokens))
  const tailUnits = lastUnitsWithin(text, tailTokens)
  const tail = tailUnits === 0 ? '' : text.slice(-tailUnits).toWellFormed()
  return `${head}\n[… ${text.length - head.length - tail.length} characters are left out …]\n${tail}`
}
