// Marks letters that look like others, in text where a person must recognize the exact name (UTS #39): words
// of mixed scripts, words of one script that look Latin, and signs that look like those of an address.
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
 * `posing`: looks like an ASCII letter, but is not one. `own`: has the distinct look of another script.
 * `numeral`: a digit of another script.
 */
type Kind = 'latin' | 'digit' | 'posing' | 'own' | 'numeral' | 'mark'

function kindOf(char: string): Kind {
  if (ASCII.test(char)) return /\d/.test(char) ? 'digit' : 'latin'
  // The micro sign, superscript digits and fractions occur among Latin letters.
  if (/[[\p{M}\u00B5][\p{No}&&\p{sc=Common}]]/v.test(char)) return 'mark'
  if (/\p{Nd}/u.test(char)) return 'numeral'
  if (/\p{sc=Latin}/u.test(char)) return imitatesLatin(char) ? 'posing' : 'latin'
  return /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0)) ? 'posing' : 'own'
}

/** Letters with accents, and small raised letters (`1º`, `Mᵐᵉ`), are visibly different. */
function imitatesLatin(char: string): boolean {
  if (/[\p{Lm}ªº]/u.test(char) || USUAL_LATIN.test(char)) return false
  if (/^[!-~]+$/.test(char.normalize('NFKC'))) return true
  return char.normalize('NFD') === char && /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0))
}

interface Token {
  readonly text: string
  readonly at: number
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
    return { text: token, at: index, kinds: ASCII.test(token) ? ASCII_KINDS : Array.from(token, kindOf) }
  })
  const isNative = isNearOwnScript(tokens)
  // A word that is part of an address is judged without the words around the address.
  const isGlued = ({ text: token, at }: Token): boolean =>
    GLUED_BEFORE.test(text.slice(Math.max(0, at - 2), at)) ||
    GLUED_AFTER.test(text.slice(at + token.length).slice(0, 2))
  let out = ''
  let end = 0
  for (const [n, token] of tokens.entries()) {
    out +=
      text.slice(end, token.at) +
      (token.kinds === ASCII_KINDS ? token.text : markToken(token, isNative[n] === true && !isGlued(token)))
    end = token.at + token.text.length
  }
  return markSigns(out + text.slice(end), appendCode)
}

function markToken({ text, kinds }: Token, isNative: boolean): string {
  const count = (kind: Kind): number => kinds.filter((one) => one === kind).length
  const [plain, posing, own] = [count('latin') + count('digit'), count('posing'), count('own')]
  if (plain === 0)
    return posing > 0 && own === 0 && !isNative
      ? `${text}⟨${SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'not Latin'}⟩`
      : text
  // If most letters are of a script that resembles Latin, the Latin letters are the imitation.
  const foreign = own > 0 && own + posing > count('latin') && SCRIPTS.some(([, script]) => script.test(text))
  const markedKinds: readonly Kind[] = foreign ? ['latin'] : ['posing', 'numeral']
  return Array.from(text, (char, n) =>
    markedKinds.includes(kinds[n] ?? 'mark') ? appendCode(char) : char,
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
 * For each word that could pass as Latin: whether the nearest word on either side that could not pass as
 * Latin is in another script.
 */
function isNearOwnScript(tokens: readonly Token[]): readonly boolean[] {
  const isNear = tokens.map(() => false)
  for (const order of [tokens.keys(), [...tokens.keys()].reverse()]) {
    let isOwn = false
    for (const n of order) {
      const kinds = tokens[n]?.kinds ?? ASCII_KINDS
      if (kinds.includes('latin')) isOwn = false
      else if (kinds.includes('own')) isOwn = true
      if (isOwn) isNear[n] = true
    }
  }
  return isNear
}
