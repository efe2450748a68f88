// Characters that are forms of others, written as these: what is left says by its looks which character it is. Needs no table
// of look-alikes, so that the page has it, too.

/** Hyphens that no font draws apart from `-`. */
const HYPHENS = /[\u2010\u2011\u2043\u02D7\uFE63\uFF0D]/g
/** Drawn as what they are on: a stroke through a letter, the dot of a letter that has one, and any on a sign or a blank. */
const LOST_MARKS =
  /(?<=[A-Za-z])[\u0334-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E5\u20E6\u20EA\u20EB]+|(?<=[ij])\u0307+|(?<=[ -@\[-`\{-~])[\p{M}--[\p{Me}\p{Default_Ignorable_Code_Point}]]+/gv
/** Letters and digits in another form of the same (\u2170, \uFF41, \uFB01); small raised ones are seen as such. */
const OTHER_FORMS = /(?![\p{Lm}\u00AA\u00BA])[[\p{L}\p{Nl}\p{Nd}]--[\0-\x7F]]/gv
/** Within a word or an address; elsewhere the wide signs of East Asian text are its own. */
const SIGNS = /(?<=[a-z\d])[[\p{P}\p{S}]--[\0-\x7F]](?=[a-z\d])/giv

/** The text with forms of ASCII written in ASCII, in NFC. */
export function withoutForms(text: string): string {
  return text
    .replace(LOST_MARKS, '')
    .replace(OTHER_FORMS, (char) => plain(char, /^[a-z\d]+$/i))
    .replace(HYPHENS, '-')
    .replace(SIGNS, (char) => plain(char, /^[!-/:-@[-`{-~]$/))
    .normalize('NFC')
}

function plain(char: string, wanted: RegExp): string {
  const form = char.normalize('NFKC')
  return wanted.test(form) ? form : char
}
