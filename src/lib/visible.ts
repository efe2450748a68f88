// Finds invisible characters by Unicode properties. One rule applies to every text that a person sees and then sends or
// approves: invisible characters are removed, refused or marked, but never passed on.

// Control characters except tab and line feed; format characters (bidi, joiners, tags) except signs around
// digits; characters that Unicode ignores when displaying (variation selectors, fillers); private use,
// surrogates and noncharacters; and some characters that are drawn as nothing.
const INVISIBLE = String.raw`[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{16FE4}\u{1D159}]--[\t\n\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]`
const BLANK = String.raw`[\p{Zs}--[\x20]]`

// A joiner is visible where letters would otherwise join: between two Arabic letters, if the first one joins
// to the left, and after a virama in Indic scripts.
const ARABIC_APART = String.raw`\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF`
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`
const JOINER = String.raw`(?<=[[\p{sc=Arab}&&\p{L}]--[${ARABIC_APART}]]\p{Mn}{0,4})\u200C(?=[\p{sc=Arab}&&\p{L}])|(?<=${VIRAMA})[\u200C\u200D](?=\p{L})`

/** A complete emoji as listed by Unicode; its selectors, joiners and tags affect how it looks. */
const EMOJI = String.raw`(?=[\p{Emoji}--[#*0-9]]|[#*0-9]\uFE0F)\p{RGI_Emoji}`

const ANY_INVISIBLE = new RegExp(INVISIBLE, 'v')
const ANY_INVISIBLE_OR_SPACE = new RegExp(`${INVISIBLE}|${BLANK}`, 'v')
const PATTERN_CACHE = new Map<string, RegExp>()

/**
 * A pattern whose first group matches visible emoji and joiners. Invisible characters are matched one at a time,
 * so that each joiner is checked. Built on first use, because the emoji pattern is expensive and most texts do
 * not need it.
 */
function invisiblePattern(invisible: string): RegExp {
  const pattern = PATTERN_CACHE.get(invisible) ?? new RegExp(`(${EMOJI}|${JOINER})|${invisible}`, 'gv')
  PATTERN_CACHE.set(invisible, pattern)
  return pattern
}

/** Removes characters that take no space. */
export function withoutInvisible(text: string): string {
  // Most texts contain none.
  if (!ANY_INVISIBLE.test(text)) return text
  return text.replace(invisiblePattern(INVISIBLE), (_, visible?: string) => visible ?? '')
}

/**
 * Cleans a text so that all its content is visible: no zero-width characters, a single spelling (NFC), single
 * spaces, no trailing spaces, and at most one empty line between paragraphs.
 */
export function visibleText(text: string): string {
  return withoutInvisible(
    text
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/[\t\p{Zs}\u2800]+/gu, ' '),
  )
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Like visibleText, but on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\n+/g, ' ')
}

/** Replaces each run of invisible characters, including unusual spaces. */
export function replaceInvisible(text: string, replacementFor: (run: string) => string): string {
  if (!ANY_INVISIBLE_OR_SPACE.test(text)) return text
  let out = ''
  let run = ''
  let end = 0
  const endRun = (): void => {
    if (run !== '') out += replacementFor(run)
    run = ''
  }
  for (const { 0: match, 1: visible, index } of text.matchAll(invisiblePattern(`${INVISIBLE}|${BLANK}`))) {
    if (index > end || visible !== undefined) endRun()
    out += text.slice(end, index)
    if (visible === undefined) run += match
    else out += visible
    end = index + match.length
  }
  endRun()
  return out + text.slice(end)
}
