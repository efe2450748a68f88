// Letters that look like others, where a person has to know whom a text names (UTS #39): words that mix scripts, words of one
// script that look like Latin ones, and marks that look like those of an address. Marks them, and changes nothing else.

import { markSigns } from './look-alike-signs.ts'
import { symbolsOf } from './skeleton.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII = /^[\0-\x7F]*$/
/** Letters that are written in languages of today and seen as what they are; all others that look like ASCII pose as it. */
const USUAL_LATIN = /[ÆæÐðØøßĐđĦħıĸŁłŒœŦŧƀɃƁɓƉɖƊɗƑƒƓɠƔɣƗɨƘƙȽƚƝɲƟɵƤƥƬƭƮʈƲʋƳƴƵƶǤǥȻȼȾⱦɄʉɆɇɈɉɌɍɎɏ]/u

const GLUED_BEFORE = /[a-z\d][.@_/:-]$/i
const GLUED_BEHIND = /^[.@_/:-][a-z\d]/i

/** `posing`: it looks like a letter of ASCII and is none. `own`: of another script, and looks like none. `numeral`: its digit. */
type Kind = 'latin' | 'digit' | 'posing' | 'own' | 'numeral' | 'mark'

function kindOf(char: string): Kind {
  if (ASCII.test(char)) return /\d/.test(char) ? 'digit' : 'latin'
  // The sign of micrometres stands among letters of Latin, and so do raised digits and fractions.
  if (/[[\p{M}\u00B5][\p{No}&&\p{sc=Common}]]/v.test(char)) return 'mark'
  if (/\p{Nd}/u.test(char)) return 'numeral'
  if (/\p{sc=Latin}/u.test(char)) return posesAsLatin(char) ? 'posing' : 'latin'
  return /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0)) ? 'posing' : 'own'
}

/** Accents are seen, and so are small raised letters (`1º`, `Mᵐᵉ`). */
function posesAsLatin(char: string): boolean {
  if (/[\p{Lm}ªº]/u.test(char) || USUAL_LATIN.test(char)) return false
  if (/^[!-~]+$/.test(char.normalize('NFKC'))) return true
  return char.normalize('NFD') === char && /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0))
}

interface Word {
  readonly text: string
  readonly at: number
  readonly kinds: readonly Kind[]
}

const PLAIN: readonly Kind[] = ['latin']

/**
 * `pаypal` becomes `pа⟨U+0430⟩ypal`, and a word that looks Latin as a whole `раура⟨Cyrillic⟩`, unless it stands among words of
 * its own script that do not.
 */
export function markLookAlikes(text: string): string {
  if (ASCII.test(text)) return text
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }): Word => {
    return { text: word, at: index, kinds: ASCII.test(word) ? PLAIN : Array.from(word, kindOf) }
  })
  const native = amongOwn(words)
  // A part of an address is judged by the whole of it.
  const isGlued = ({ text: word, at }: Word): boolean =>
    GLUED_BEFORE.test(text.slice(Math.max(0, at - 2), at)) ||
    GLUED_BEHIND.test(text.slice(at + word.length).slice(0, 2))
  let out = ''
  let end = 0
  for (const [n, word] of words.entries()) {
    out +=
      text.slice(end, word.at) +
      (word.kinds === PLAIN ? word.text : marked(word, native[n] === true && !isGlued(word)))
    end = word.at + word.text.length
  }
  return markSigns(out + text.slice(end), withCode)
}

function marked({ text, kinds }: Word, native: boolean): string {
  const count = (kind: Kind): number => kinds.filter((one) => one === kind).length
  const [plain, posing, own] = [count('latin') + count('digit'), count('posing'), count('own')]
  if (plain === 0)
    return posing > 0 && own === 0 && !native
      ? `${text}⟨${SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'not Latin'}⟩`
      : text
  // Where letters of a script like Latin are more than those of Latin, these pose among them.
  const foreign = own > 0 && own + posing > count('latin') && SCRIPTS.some(([, script]) => script.test(text))
  const odd: readonly Kind[] = foreign ? ['latin'] : ['posing', 'numeral']
  return Array.from(text, (char, n) => (odd.includes(kinds[n] ?? 'mark') ? withCode(char) : char)).join('')
}

const SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (name) => [name, new RegExp(`\\p{sc=${name}}`, 'u')] as const,
)

/** `⟨U+0430⟩` */
export function codeOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

function withCode(char: string): string {
  return char + codeOf(char)
}

/** Of each word that could pose as Latin, whether the next one on a side that could not is of another script. */
function amongOwn(words: readonly Word[]): readonly boolean[] {
  const near = words.map(() => false)
  for (const order of [words.keys(), [...words.keys()].reverse()]) {
    let isOwn = false
    for (const n of order) {
      const kinds = words[n]?.kinds ?? PLAIN
      if (kinds.includes('latin')) isOwn = false
      else if (kinds.includes('own')) isOwn = true
      if (isOwn) near[n] = true
    }
  }
  return near
}
