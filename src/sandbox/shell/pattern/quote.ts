// Quotes text for use in patterns.

/** Escapes `text` so that, as a pattern, it matches exactly itself. */
export function quotePattern(text: string): string {
  return text.replaceAll(/[\\*?[\]()|!+@^-]/g, String.raw`\$&`)
}

/** Whether unquoted text contains a pattern operator. */
export function hasPattern(text: string, extended: boolean): boolean {
  return /[*?]|\[/.test(text) || (extended && /[?*+@!]\(/.test(text))
}
