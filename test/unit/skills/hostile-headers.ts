// Headers designed to cost a YAML parser time, memory or stack. The benchmarks read them, too.

/** The two required fields of a valid skill. */
export const TAIL = '\nname: my-skill\ndescription: Does things.'
const fill = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length))
/** Blocks inside blocks. */
export const nested = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:`).join('\n')

/** YAML headers by description, without fences, name and description. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'blocks 10 deep': nested(10),
  'blocks 100 deep': nested(100),
  'blocks 170 deep': nested(170),
  'brackets 1,000 deep': fill('[', 1_000),
  'brackets 10,000 deep': fill('[', 10_000),
  'braces 5,000 deep': fill('{a: ', 20_000),
  'quoted keys in braces': `a: {${fill('"a":', 3_000)}`,
  'dashes 8,000 deep': fill('- ', 16_000),
  'question marks': fill('? ', 15_000),
  'colons on one line': fill('a: ', 15_000),
  'colons on many lines': Array.from({ length: 15 }, (_, at) => ' '.repeat(at) + fill('a: ', 90)).join('\n'),
  '50,000 keys': Array.from({ length: 50_000 }, (_, at) => `k${at}: 1`).join('\n'),
  '490 keys': Array.from({ length: 490 }, (_, at) => `k${at}: 1`).join('\n'),
  '100,000 quotes': fill('"', 100_000),
  '900 quotes': `a: ${fill('"', 900)}`,
  '900 commas': `a: [${fill(',', 900)}`,
  '900 tags': `a: ${fill('! ', 1_800)}`,
  '900 anchors': `a: ${fill('&a ', 2_700)}`,
  '450 broken lines': fill('a: "b\n', 2_700),
  '450 broken escapes': `a: "${fill('\\d', 1_800)}"`,
  '450 broken fields': fill('a: [b\n', 2_700),
  'a line of a megabyte': `a: ${fill('x', 900_000)}`,
  'spaces alone': fill(' ', 16_000),
  'a million line breaks': fill('\n', 900_000),
  parentheses: `allowed-tools: ${fill('(', 15_000)}`,
  'a billion laughs': 'a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]',
}
