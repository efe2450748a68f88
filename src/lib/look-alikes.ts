// Letters that look like others, where a person has to know whom a text names (UTS #39): words that mix scripts, words of one
// script that look like Latin ones, and marks that look like those of an address. Marks them, and changes nothing else.

import { symbolsOf } from './skeleton.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII = /^[\0-\x7F]*$/
/** Letters of Latin that no usual alphabet has, and that look like others of it. */
const POSING_LATIN = /[ɑɡɩʙɢʜɪʟɴʀʏᴀ-ᴫꜰꜱ\uFF21-\uFF5A]/u
/** Marks of an address that are not of ASCII, between what is. */
const POSING_MARK =
  /(?<=[a-z\d])[\u2024\uFE52\uFF0E\u3002\uFF61\u2044\u2215\u29F8\uFF0F\uFF20\uFE6B\uFF1A\uA789\u2236](?=[a-z\d])/giu

const GLUED_BEFORE = /[a-z\d][.@_/:-]$/i
const GLUED_BEHIND = /^[.@_/:-][a-z\d]/i

/** `posing`: it looks like a letter of ASCII and is none. `own`: of another script, and looks like none. `numeral`: its digit. */
type Kind = 'latin' | 'digit' | 'posing' | 'own' | 'numeral' | 'mark'

function kindOf(char: string): Kind {
  if (ASCII.test(char)) return /\d/.test(char) ? 'digit' : 'latin'
  // The sign of micrometres stands among letters of Latin.
  if (/[\p{M}\u00B5]/u.test(char)) return 'mark'
  if (/\p{Nd}/u.test(char)) return 'numeral'
  if (/\p{sc=Latin}/u.test(char)) return POSING_LATIN.test(char) ? 'posing' : 'latin'
  return /^[a-z2-9]+$/.test(symbolsOf(char.codePointAt(0) ?? 0)) ? 'posing' : 'own'
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
  return (out + text.slice(end)).replace(POSING_MARK, withCode)
}

function marked({ text, kinds }: Word, native: boolean): string {
  const count = (kind: Kind): number => kinds.filter((one) => one === kind).length
  const [plain, posing, own] = [count('latin') + count('digit'), count('posing'), count('own')]
  if (plain === 0)
    return posing > 0 && own === 0 && !native
      ? `${text}⟨${SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'not Latin'}⟩`
      : text
  // Where letters of another script are more than those of Latin, these pose among them.
  const odd: readonly Kind[] = own > 0 && own + posing > count('latin') ? ['latin'] : ['posing', 'numeral']
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
