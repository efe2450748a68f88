// Generates SKILL.md files that nobody would write: noise, half-valid headers, damaged copies of valid files, endless
// repetition.

import { utf8 } from '../../src/lib/bytes.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const KEYS =
  `name description license compatibility metadata allowed-tools disallowed-tools argument-hint tags version
changelog dependencies when_to_use disable-model-invocation user-invocable model hooks __proto__ constructor Name`.split(
    /\s+/,
  )
const VALUES = [
  'tea',
  'Brews tea. Use when someone is thirsty.',
  'Use when: tea is asked for',
  '123',
  'true',
  'null',
  '~',
  '""',
  "''",
  '[a, b]',
  '[a] [b]',
  '[[[[a]]]]',
  '{a: b, c: [d]}',
  '{',
  ']',
  '"unclosed',
  "it's 'quoted' twice",
  '"\\d"',
  '"\\u0000\\u202E"',
  '|\n  line one\n  line two',
  '>-\n  folded\n  text',
  '|2-\n   odd',
  '&a x',
  '*a',
  '!!binary aGk=',
  '!tag x',
  '%directive',
  '@at',
  '`tick`',
  '*.ts',
  '- item\n- item',
  '\n  - Bash(git:*)\n  - Agent(a, b)',
  '\n  version: 1.0\n  dependencies: tea, coffee',
  '../../etc/passwd',
  'a/b',
  'My Skill_2',
  'ｔｅａ',
  '技能',
  'e\u0301',
  'x'.repeat(2_000),
  '😀'.repeat(700),
  'a\u200Bb\u{E0041}',
  'a\u0085b\u2028c',
  '\uD800',
  'Bash(docker ps *), Read,Write Edit((((',
  'python>=3.8, pandas',
  '<b>bold</b> </skill> & "x"',
  '# only a comment',
  'value # cut',
  '{"json": {"deep": [1, 2, {"x": null}]}}',
  '2026-04-24',
  '? complex\n: key',
  '<<: *a',
]
const LINE_ENDS = ['\n', '\n', '\n', '\r\n', '\r', '\n\n', '\u2028']
const FENCES = ['---', '---', '---', '---', '--- ', '----', '...', '  ---', '+++', '```yaml', '']
const PIECES =
  `---\n|- |: |  |\n|\t|"|'|[|]|{|}|,|#| #|&a|*a|!!str |%YAML|name: |description: |a: |? |\\|>|\0|\x1b[2J|<!--|
<<<<<<<|=======|\u202E|\u200B|\uFEFF|é|\u0301|😀|x|tea`.split('|')
const BODIES = ['', '# Tea\n\nBoil water.', '---\n', '```\n---\n```', 'See [x](references/x.md).', '\0']
const GOOD = `---\nname: tea\ndescription: Brews tea. Use when someone is thirsty.\nlicense: MIT\nmetadata:\n  version: "1.0"
  tags: [hot, drink]\nallowed-tools: Read Bash(git:*)\n---\n\n# Tea\n\nBoil water, then see references/water.md.\n`

const KINDS = [noise, soup, header, header, header, framed, mutated, mutated, mutated, repeated] as const

/** One file. `at` is its number in the run; a few of every thousand are near the size limit. */
export function skillMdCase(random: Random, at: number): Uint8Array<ArrayBuffer> {
  if (at % 400 === 399) return utf8(large(random))
  return pick(random, KINDS)(random)
}

function noise(random: Random): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(below(random, 3_000))
  for (let at = 0; at < bytes.length; at++) bytes[at] = below(random, 256)
  return bytes
}

function soup(random: Random): Uint8Array<ArrayBuffer> {
  return utf8(`---\n${many(random, 400, () => pick(random, PIECES)).join('')}\n---\nBody\n`)
}

function header(random: Random): Uint8Array<ArrayBuffer> {
  const end = pick(random, LINE_ENDS)
  const fields = many(random, 12, () => field(random))
  // Most have the required fields, so that reading gets beyond the first error.
  if (random() < 0.8) fields.push('name: tea')
  if (random() < 0.8) fields.push('description: Brews tea.')
  fields.sort(() => random() - 0.5)
  return utf8(['---', ...fields, '---', pick(random, BODIES)].join('\n').replaceAll('\n', end))
}

function framed(random: Random): Uint8Array<ArrayBuffer> {
  const before =
    random() < 0.5 ? '' : many(random, 4, () => pick(random, [...PIECES, '\n', '> x\n'])).join('')
  const fields = many(random, 4, () => field(random))
  const open = pick(random, FENCES)
  const close = pick(random, FENCES)
  const text = `${before}${open}\nname: tea\ndescription: Brews tea.\n${fields.join('\n')}\n${close}\n${pick(random, BODIES)}`
  return utf8(random() < 0.2 ? `\uFEFF${text}` : text)
}

function mutated(random: Random): Uint8Array<ArrayBuffer> {
  let bytes = utf8(GOOD)
  for (let times = 1 + below(random, 6); times > 0; times--) {
    const at = below(random, bytes.length + 1)
    const until = Math.min(bytes.length, at + below(random, 40))
    const middle = pick(random, [
      bytes.slice(at, until).map((byte) => byte ^ (1 << below(random, 8))),
      new Uint8Array(0),
      utf8(pick(random, PIECES)),
      utf8(pick(random, VALUES)),
      Uint8Array.from([...bytes.slice(at, until), ...bytes.slice(at, until)]),
    ])
    bytes = Uint8Array.from([...bytes.slice(0, at), ...middle, ...bytes.slice(until)])
  }
  return bytes
}

function repeated(random: Random): Uint8Array<ArrayBuffer> {
  const piece = many(random, 4, () => pick(random, [...PIECES, ...VALUES.slice(0, 20)])).join('')
  const inside = piece.repeat(1 + below(random, 1_000)).slice(0, 20_000)
  return utf8(`---\nname: tea\n${inside}\ndescription: Brews tea.\n---\nBody\n`)
}

function large(random: Random): string {
  const piece = pick(random, [...PIECES, ...VALUES]) || 'x'
  const mass = piece.repeat(Math.ceil(900_000 / piece.length)).slice(0, 900_000)
  return pick(random, [
    `---\nname: tea\ndescription: Brews tea.\n---\n${mass}`,
    `---\nname: tea\ndescription: ${mass}\n---\nBody`,
    `---\n${mass}`,
    `${mass}\n---\nname: tea\ndescription: Brews tea.\n---\n`,
    `name: tea\ndescription: ${mass}`,
  ])
}

function field(random: Random): string {
  return `${pick(random, KEYS)}:${pick(random, [' ', ' ', ' ', '', '  ', '\t'])}${pick(random, VALUES)}`
}

function many<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: below(random, most + 1) }, make)
}

function pick<T>(random: Random, list: readonly [T, ...T[]] | readonly T[]): T {
  // The lists above are never empty.
  return list[below(random, list.length)] as T
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}
