// Replaces compatibility forms of characters with plain characters, so that a person can recognize every character.
// Small enough for the page, because it needs no table of look-alikes.

/** Hyphens that fonts draw like `-`. */
const HYPHENS = /[\u2010\u2011\u2043\u02D7\uFE63\uFF0D]/g
/**
 * Combining marks that are invisible in their position: a stroke through a letter, a dot on a dotted letter,
 * and any mark on punctuation or a space.
 */
const HIDDEN_MARKS =
  /(?<=[A-Za-z])[\u0334-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E5\u20E6\u20EA\u20EB]+|(?<=[ij])\u0307+|(?<=[ -@\[-`\{-~])[\p{M}--[\p{Me}\p{Default_Ignorable_Code_Point}]]+/gv
/**
 * Compatibility forms of letters and digits (\u2170, \uFF41, \uFB01), except small raised letters, which are
 * visibly different.
 */
const COMPATIBILITY_LETTERS = /(?![\p{Lm}\u00AA\u00BA])[[\p{L}\p{Nl}\p{Nd}]--[\0-\x7F]]/gv
/** Wide forms of signs, only within a word or address: elsewhere, East Asian text uses them. */
const COMPATIBILITY_SIGNS = /(?<=[a-z\d])[[\p{P}\p{S}]--[\0-\x7F]](?=[a-z\d])/giv

/** Returns the text in NFC, with forms of ASCII characters replaced by ASCII. */
export function withPlainForms(text: string): string {
  return text
    .replace(HIDDEN_MARKS, '')
    .replace(COMPATIBILITY_LETTERS, (char) => plainForm(char, /^[a-z\d]+$/i))
    .replace(HYPHENS, '-')
    .replace(COMPATIBILITY_SIGNS, (char) => plainForm(char, /^[!-/:-@[-`{-~]$/))
    .normalize('NFC')
}

function plainForm(char: string, allowedForm: RegExp): string {
  const form = char.normalize('NFKC')
  return allowedForm.test(form) ? form : char
}
