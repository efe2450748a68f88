// Writes src/lib/confusables.ts from Unicode's table of confusables, as a package of the tests carries it: which characters
// look like the letters and marks that a tag is spelled with.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What Unicode's table says a character looks like, for each that it names. */
type Prototypes = Readonly<Record<string, string>>

// Unicode lists a bracket of its own kind for these; to a model they stand for "<" as well.
const BRACKETS = [
  0x2329, 0x276c, 0x2770, 0x27e8, 0x2991, 0x2993, 0x29fc, 0x3008, 0xfe3f, 0x227a, 0x22d6, 0x2a79,
]
const SLASHES = [0x2f03, 0x2f02, 0x29f5, 0x2e4a]
// Small capitals and kra, to which Unicode maps others and which it maps to nothing itself.
const LETTERS = new Map(
  'ʙb ᴄc ᴅd ᴇe ɢg ʜh ᴊj ĸk ᴋk ʟl ᴍm ɴn ᴘp ꞯq ʀr ᴛt ᴜu ᴡw ʏy ᴢz'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
)
/** First of 26 letters in circles, squares and flags that no form of Unicode makes plain. */
const DRESSED = [0x1f150, 0x1f170, 0x1f1e6]

// Beyond lie private use, ideographs and tags; Hangul is made of parts that look like none of ours.
const LAST = 0x1ffff
const SKIPPED = [
  [0xac00, 0xd7a3],
  [0xd800, 0xf8ff],
  [0x17000, 0x18cff],
] as const

/** Letters and marks, folded: case, and what Unicode calls the same (`I`, `1` and `l`; `0` and `o`; `m` and `rn`). */
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

/** What `char` stands for in a tag; null where Unicode sees nothing of a tag in it. */
function meaning(char: string, prototypes: Prototypes): string | null {
  const point = char.codePointAt(0) ?? 0
  if (BRACKETS.includes(point)) return '<'
  if (SLASHES.includes(point)) return '/'
  for (const first of DRESSED)
    if (point >= first && point < first + 26) return folded(String.fromCharCode(0x61 + point - first))
  // A letter whose own form looks like nothing may have a capital that does: a model knows them for one letter.
  const forms = plain(char) === '' ? [char] : [char, char.toUpperCase(), char.toLowerCase()]
  for (const form of forms) {
    const seen = skeleton(form, prototypes)
    const said = folded(LETTERS.get(seen) ?? seen)
    if (WANTED.test(said)) return said
  }
  return null
}

/** Points by what they stand for, those left out that a compatibility form makes plain without a table. */
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
      const said = meaning(char, prototypes)
      // Openers are found by the table alone: all of them stand in it.
      if (said === null || (composed && ofParts(char) === said && !said.startsWith('<'))) continue
      known.set(char, said)
      found.push([point, said])
    }
  }
  look(false)
  look(true)
  const by = new Map<string, number[]>()
  for (const [point, said] of found.toSorted(([a, x], [b, y]) => (x < y ? -1 : x > y ? 1 : a - b)))
    by.set(said, [...(by.get(said) ?? []), point])
  return by
}

/** The text of src/lib/confusables.ts. */
export function confusablesFile(prototypes: Prototypes): string {
  const lines = Array.from(confusablesBy(prototypes), ([said, points]) => {
    const key = /^[a-z_]+$/.test(said) ? said : `'${said}'`
    return `  ${key}: '${points.map((point) => point.toString(16)).join(' ')}',`
  })
  return `${HEADER}\nexport const CONFUSABLES: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n}\n`
}

const HEADER = `// Which characters look like the letters and marks that a tag is spelled with. Data only, made by
// \`node scripts/make-confusables.ts\` from Unicode's table of confusables (UTS #39); a test compares it with that table.

/** Code points in hexadecimal by what they stand for. Letters are folded: l is i and l, o is o and 0, rn is m. */`

if (import.meta.main) {
  const table = createRequire(import.meta.url).resolve('unhomoglyph/data.json')
  // The package's data: a character, and what it looks like.
  const prototypes = JSON.parse(readFileSync(table, 'utf8')) as Prototypes
  writeFileSync(new URL('../src/lib/confusables.ts', import.meta.url), confusablesFile(prototypes))
}
