// Marks letters that look like other letters, in text where a person must recognize the exact name (UTS #39): words of
// mixed scripts, words of one script that look Latin, and characters that look like separators in an address.
// Changes nothing else.

import { markSigns } from './look-alike-signs.ts'
import { symbolsOf } from './skeleton.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII = /^[\0-\x7F]*$/
/**
 * Latin letters in modern use that are recognized as themselves. All other Latin letters that look like ASCII
 * imitate it.
 */
const USUAL_LATIN = /[ÆæÐðØøßĐđĦħıĸŁłŒœŦŧƀɃƁɓƉɖƊɗƑƒƓɠƔɣƗɨƘƙȽƚƝɲƟɵƤƥƬƭƮʈƲʋƳƴƵƶǤǥȻȼȾⱦɄʉɆɇɈɉɌɍɎɏ]/u

const GLUED_BEFORE = /[a-z\d][.@_/:-]$/i
const GLUED_AFTER = /^[.@_/:-][a-z\d]/i

/**
 * `imitation`: looks like an ASCII letter, but is not one. `native`: has the distinct look of another script.
 * `numeral`: a digit of another script.
 */
type Kind = 'latin' | 'digit' | 'imitation' | 'native' | 'numeral' | 'mark'

function kindOf(char: string): Kind {
  if (ASCII.test(char)) return /\d/.test(char) ? 'digit' : 'latin'
  // The micro sign, superscript digits and fractions occur among Latin letters.
  if (/[[\p{M}\u00B5][\p{No}&&\p{sc=Common}]]/v.test(char)) return 'mark'
  if (/\p{Nd}/u.test(char)) return 'numeral'
  if (/\p{sc=Latin}/u.test(char)) return imitatesLatin(char) ? 'imitation' : 'latin'
  return /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0)) ? 'imitation' : 'native'
}

/** Letters with accents, and small raised letters (`1º`, `Mᵐᵉ`), are visibly different. */
function imitatesLatin(char: string): boolean {
  if (/[\p{Lm}ªº]/u.test(char) || USUAL_LATIN.test(char)) return false
  if (/^[!-~]+$/.test(char.normalize('NFKC'))) return true
  return char.normalize('NFD') === char && /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0))
}

interface Token {
  readonly text: string
  readonly offset: number
  readonly kinds: readonly Kind[]
}

const ASCII_KINDS: readonly Kind[] = ['latin']

/**
 * `pаypal` becomes `pа⟨U+0430⟩ypal`, and a word that looks entirely Latin becomes `раура⟨Cyrillic⟩`, unless
 * the words around it are recognizably of its script.
 */
export function markLookAlikes(text: string): string {
  if (ASCII.test(text)) return text
  const tokens = Array.from(text.matchAll(WORD), ({ 0: token, index }): Token => {
    return { text: token, offset: index, kinds: ASCII.test(token) ? ASCII_KINDS : Array.from(token, kindOf) }
  })
  const isNearNative = findTokensNearNative(tokens)
  // A word that is part of an address is judged without the words around the address.
  const isGlued = ({ text: token, offset }: Token): boolean =>
    GLUED_BEFORE.test(text.slice(Math.max(0, offset - 2), offset)) ||
    GLUED_AFTER.test(text.slice(offset + token.length).slice(0, 2))
  let out = ''
  let end = 0
  for (const [index, token] of tokens.entries()) {
    out +=
      text.slice(end, token.offset) +
      (token.kinds === ASCII_KINDS
        ? token.text
        : markToken(token, isNearNative[index] === true && !isGlued(token)))
    end = token.offset + token.text.length
  }
  return markSigns(out + text.slice(end), appendCode)
}

function markToken({ text, kinds }: Token, isNearNative: boolean): string {
  const count = (kind: Kind): number => kinds.filter((other) => other === kind).length
  const [latinCount, imitationCount, nativeCount] = [
    count('latin') + count('digit'),
    count('imitation'),
    count('native'),
  ]
  if (latinCount === 0)
    return imitationCount > 0 && nativeCount === 0 && !isNearNative
      ? `${text}⟨${SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'not Latin'}⟩`
      : text
  // If most letters are of a script that resembles Latin, the Latin letters are the imitation.
  const isForeignWord =
    nativeCount > 0 &&
    nativeCount + imitationCount > count('latin') &&
    SCRIPTS.some(([, script]) => script.test(text))
  const markedKinds: readonly Kind[] = isForeignWord ? ['latin'] : ['imitation', 'numeral']
  return Array.from(text, (char, index) =>
    markedKinds.includes(kinds[index] ?? 'mark') ? appendCode(char) : char,
  ).join('')
}

const SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (name) => [name, new RegExp(`\\p{sc=${name}}`, 'u')] as const,
)

/** Returns, for example, `⟨U+0430⟩`. */
export function codeOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

function appendCode(char: string): string {
  return char + codeOf(char)
}

/**
 * Returns, for each word, whether it has a neighbor in another script: on at least one side, the nearest word with
 * distinct letters is in a script other than Latin.
 */
function findTokensNearNative(tokens: readonly Token[]): readonly boolean[] {
  const isNearNative = tokens.map(() => false)
  for (const indexes of [tokens.keys(), [...tokens.keys()].reverse()]) {
    let isAfterNative = false
    for (const index of indexes) {
      const kinds = tokens[index]?.kinds ?? ASCII_KINDS
      if (kinds.includes('latin')) isAfterNative = false
      else if (kinds.includes('native')) isAfterNative = true
      if (isAfterNative) isNearNative[index] = true
    }
  }
  return isNearNative
}
