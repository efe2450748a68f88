// Builds regular expressions for all the ways in which servers may write a character of repeated input: in JSON,
// JavaScript, HTML, URLs and forms, by encoders that escape different characters, and encoded several times.

import { utf8 } from '../lib/bytes.ts'

/** Maximum repetitions of backslashes, `25` and `amp;`. Text that was encoded three times has seven backslashes. */
const REPEATS_MAX = 8

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '+': 'plus',
  '=': 'equals',
  '/': 'sol',
  '\\': 'bsol',
  ':': 'colon',
  ';': 'semi',
  ',': 'comma',
  '.': 'period',
  '!': 'excl',
  '?': 'quest',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '@': 'commat',
  '[': 'lsqb|lbrack',
  ']': 'rsqb|rbrack',
  '^': 'Hat',
  _: 'lowbar',
  '`': 'grave',
  '{': 'lcub|lbrace',
  '|': 'verbar|vert|VerticalLine',
  '}': 'rcub|rbrace',
  '\n': 'NewLine',
  '\t': 'Tab',
}
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\t': 't',
  '\r': 'r',
  '\b': 'b',
  '\f': 'f',
}

const patternByChar = new Map<string, string>()

/** A pattern for the character in each of its spellings. An ASCII letter or digit has only one. */
export function spellingsOf(char: string): string {
  if (/^[A-Za-z0-9]$/.test(char)) return char
  const cachedPattern = patternByChar.get(char)
  if (cachedPattern !== undefined) return cachedPattern
  const pattern = `(?:${spellingPatterns(char).join('|')})`
  // Caches only ASCII characters, of which there are few.
  if (char <= '\x7F') patternByChar.set(char, pattern)
  return pattern
}

function spellingPatterns(char: string): readonly string[] {
  const point = char.codePointAt(0) ?? 0
  const escapes = `\\\\{1,${REPEATS_MAX}}`
  const units = Array.from({ length: char.length }, (_, index) => anyCase(char.charCodeAt(index), 4))
  const utf8Bytes = Array.from(utf8(char))
  const percentEncoded = utf8Bytes.map((byte) => `%(?:25){0,${REPEATS_MAX}}${anyCase(byte, 2)}`)
  const names = [
    `#0{0,4}${point}`,
    `#[xX]0{0,4}${anyCase(point, 1)}`,
    ...(ENTITIES[char] === undefined ? [] : [ENTITIES[char]]),
  ]
  return [
    char === '\\' ? `${escapes}` : `\\\\{0,${REPEATS_MAX}}${escaped(char)}`,
    // CSV and SQL double quotes.
    ...(char === '"' || char === "'" ? [char + char] : []),
    units.map((unit) => `${escapes}u${unit}`).join(''),
    `${escapes}u\\{0{0,4}${anyCase(point, 1)}\\}`,
    ...(point < 256 ? [`${escapes}x${anyCase(point, 2)}`] : []),
    ...(SHORT_ESCAPES[char] === undefined ? [] : [`${escapes}${SHORT_ESCAPES[char]}`]),
    percentEncoded.join(''),
    utf8Bytes.map((byte) => `${escapes}0{0,2}${byte.toString(8)}`).join(''),
    // Quoted-printable.
    utf8Bytes.map((byte) => `=${anyCase(byte, 2)}`).join(''),
    `&(?:amp;){0,${REPEATS_MAX}}(?:${names.join('|')});`,
    // Form encoding replaces a space with a plus sign.
    ...(char === '+' ? [' '] : char === ' ' ? ['\\+'] : []),
  ]
}

function escaped(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}

/** A pattern for a hexadecimal number in upper or lower case. */
function anyCase(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
