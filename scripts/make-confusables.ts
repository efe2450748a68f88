// Writes src/lib/confusables.ts from Unicode's table of confusables, which a test dependency contains: characters
// that look like the letters and marks of a tag.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Unicode's table: character to look-alike. */
type Prototypes = Readonly<Record<string, string>>

// Unicode maps these to a bracket of their own; to a model they mean "<", too.
const BRACKETS = [
  0x2329, 0x276c, 0x2770, 0x27e8, 0x2991, 0x2993, 0x29fc, 0x3008, 0xfe3f, 0x227a, 0x22d6, 0x2a79,
]
const SLASHES = [0x2f03, 0x2f02, 0x29f5, 0x2e4a]
// Small capitals and kra: Unicode maps others to them, but not these themselves.
const LETTERS = new Map(
  'ʙb ᴄc ᴅd ᴇe ɢg ʜh ᴊj ĸk ᴋk ʟl ᴍm ɴn ᴘp ꞯq ʀr ᴛt ᴜu ᴡw ʏy ᴢz'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
)
/** The first of 26 letters in circles, squares and flags without a compatibility form. */
const DRESSED = [0x1f150, 0x1f170, 0x1f1e6]

// Above are private use, ideographs and tags; no part of Hangul looks like these letters.
const LAST = 0x1ffff
const SKIPPED = [
  [0xac00, 0xd7a3],
  [0xd800, 0xf8ff],
  [0x17000, 0x18cff],
] as const

/** Folds letters and marks: case, and what Unicode treats as equal (`I`, `1` and `l`; `0` and `o`; `m` and `rn`). */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[i1|]/g, 'l')
    .replace(/0/g, 'o')
    .replaceAll('m', 'rn')
    .replaceAll('\\', '/')
}

function plain(text: string): string {
  return text.replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
}

function skeleton(text: string, prototypes: Prototypes): string {
  const mapped = Array.from(text.normalize('NFD'), (char) => prototypes[char] ?? char).join('')
  return plain(mapped.normalize('NFKD'))
}

const WANTED = /^(?:[a-z]{1,3}|<{1,3}|\/{1,3}|>{1,3}|[-_])$/

/** The text of a tag that `char` resembles; null if there is none. */
function meaning(char: string, prototypes: Prototypes): string | null {
  const point = char.codePointAt(0) ?? 0
  if (BRACKETS.includes(point)) return '<'
  if (SLASHES.includes(point)) return '/'
  for (const first of DRESSED)
    if (point >= first && point < first + 26) return folded(String.fromCharCode(0x61 + point - first))
  // A letter without a look-alike may have a capital with one: a model treats both as one letter.
  const forms = plain(char) === '' ? [char] : [char, char.toUpperCase(), char.toLowerCase()]
  for (const form of forms) {
    const seen = skeleton(form, prototypes)
    const lookalike = folded(LETTERS.get(seen) ?? seen)
    if (WANTED.test(lookalike)) return lookalike
  }
  return null
}

/** Code points by what they resemble, without those that a compatibility form resolves. */
function confusablesBy(prototypes: Prototypes): ReadonlyMap<string, readonly number[]> {
  const known = new Map<string, string>()
  const ofParts = (char: string): string =>
    Array.from(plain(char.normalize('NFKD')), (part) => known.get(part) ?? folded(part)).join('')
  const found: (readonly [number, string])[] = []
  const look = (composed: boolean): void => {
    for (let point = 0x80; point <= LAST; point++) {
      if (SKIPPED.some(([from, to]) => point >= from && point <= to)) continue
      const char = String.fromCodePoint(point)
      if ((char.normalize('NFKD') !== char) !== composed) continue
      const lookalike = meaning(char, prototypes)
      // Openers are found by the table only: it contains all of them.
      if (lookalike === null || (composed && ofParts(char) === lookalike && !lookalike.startsWith('<')))
        continue
      known.set(char, lookalike)
      found.push([point, lookalike])
    }
  }
  look(false)
  look(true)
  const by = new Map<string, number[]>()
  for (const [point, lookalike] of found.toSorted(([a, x], [b, y]) => (x < y ? -1 : x > y ? 1 : a - b)))
    by.set(lookalike, [...(by.get(lookalike) ?? []), point])
  return by
}

/** The text of src/lib/confusables.ts. */
export function confusablesFile(prototypes: Prototypes): string {
  const lines = Array.from(confusablesBy(prototypes), ([lookalike, points]) => {
    const key = /^[a-z_]+$/.test(lookalike) ? lookalike : `'${lookalike}'`
    return `  ${key}: '${points.map((point) => point.toString(16)).join(' ')}',`
  })
  return `${HEADER}\nexport const CONFUSABLES: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n}\n`
}

const HEADER = `// Which characters look like the letters and marks that a tag is spelled with. Data only, made by
// \`node scripts/make-confusables.ts\` from Unicode's table of confusables (UTS #39); a test compares it with that table.

/** Code points in hexadecimal by what they stand for. Letters are folded: l is i and l, o is o and 0, rn is m. */`

if (import.meta.main) {
  const table = createRequire(import.meta.url).resolve('unhomoglyph/data.json')
  // The cast: the package's data, a character and its look-alike.
  const prototypes = JSON.parse(readFileSync(table, 'utf8')) as Prototypes
  writeFileSync(new URL('../src/lib/confusables.ts', import.meta.url), confusablesFile(prototypes))
}
