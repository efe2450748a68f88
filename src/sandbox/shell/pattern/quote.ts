// Quoted text within patterns.

/** Text that matches itself. */
export function quotePattern(text: string): string {
  return text.replaceAll(/[\\*?[\]()|!+@^-]/g, String.raw`\$&`)
}

/** Whether unquoted text has an operator of a pattern. */
export function hasPattern(text: string, extended: boolean): boolean {
  return /[*?]|\[/.test(text) || (extended && /[?*+@!]\(/.test(text))
}
