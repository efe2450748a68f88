// Promise: grep shows matching lines with their place, says what it did not search, and no pattern and no text makes it
// work much longer than a second.

import { describe, expect, it } from 'vitest'
import {
  GREP_FILE_MAX_BYTES,
  GREP_LINE_MAX_CHARS,
  GREP_LINES_MAX,
  GREP_CHUNK_BYTES,
  PATTERN_MAX_CHARS,
  SEARCH_COST_MAX,
} from '../../../src/tools/files/limits.ts'
import { compilePattern, type Pattern } from '../../../src/tools/files/pattern.ts'
import { call, filesOf, skillsWith } from './reading-rig.ts'

const DATA = '/mnt/user-data'

const files = filesOf({
  'uploads/a.txt': 'alpha\r\nBeta (x+y)\r\n  gamma 42\r\n',
  'uploads/b.md': '\ufeff# Title\n\nalpha beta\n',
  'uploads/deep/c.txt': 'no end of line: alpha',
  'uploads/picture.png': Uint8Array.from([0x89, 0, 0x61]),
  'uploads/latin.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x6c]),
})

async function lines(input: object): Promise<readonly string[]> {
  const { content, isError } = await call('grep', input, await files)
  if (isError) throw new Error(content)
  return content
    .split('\n')
    .filter((line) => line.startsWith('/mnt/'))
    .map((line) => line.replace(`${DATA}/uploads/`, ''))
}

describe('grep', () => {
  it.each([
    [{ pattern: 'alpha' }, ['a.txt:1: alpha', 'b.md:3: alpha beta', 'deep/c.txt:1: no end of line: alpha']],
    [{ pattern: '^alpha$' }, ['a.txt:1: alpha']],
    [{ pattern: '^#' }, ['b.md:1: # Title']],
    [{ pattern: '\\Aalpha\\z' }, ['a.txt:1: alpha']],
    [{ pattern: 'beta' }, ['b.md:3: alpha beta']],
    [{ pattern: 'BETA', ignore_case: true }, ['a.txt:2: Beta (x+y)', 'b.md:3: alpha beta']],
    [{ pattern: 'BE.A', ignore_case: true }, ['a.txt:2: Beta (x+y)', 'b.md:3: alpha beta']],
    [{ pattern: '(x+y)', literal: true }, ['a.txt:2: Beta (x+y)']],
    [{ pattern: '\\bgamma\\s+\\d{2}\\b' }, ['a.txt:3:   gamma 42']],
    [{ pattern: 'a\\s+Beta' }, []],
    [{ pattern: '(?<name>Tit)le' }, ['b.md:1: # Title']],
    [{ pattern: '\\u0054itle' }, ['b.md:1: # Title']],
    [{ pattern: '^$' }, ['b.md:2: ']],
    [{ pattern: 'caf' }, ['latin.txt:1: caf\ufffd al']],
    [{ pattern: 'alpha', path: 'uploads/deep' }, ['deep/c.txt:1: no end of line: alpha']],
    [{ pattern: 'alpha', path: `${DATA}/uploads/b.md` }, ['b.md:3: alpha beta']],
  ])('%j', async (input, found) => {
    expect(await lines(input)).toEqual(found)
  })

  it('counts its matches, and names what it did not search', async () => {
    const { content } = await call('grep', { pattern: 'alpha' }, await files)
    expect(content).toMatch(/^Found 3 lines in 3 files under \/mnt\/user-data\n/)
    expect(content).toMatch(/\nNot searched because not text: 1 file\.$/)
    expect((await call('grep', { pattern: 'nowhere' }, await files)).content).toMatch(/^No matches under/)
  })

  it.each([
    [{ pattern: '(' }, 'Invalid pattern: missing closing'],
    [{ pattern: 'a(?=b)' }, 'call again with literal: true'],
    [{ pattern: '(a)\\1' }, 'Invalid pattern'],
    [{ pattern: 'x'.repeat(PATTERN_MAX_CHARS + 1) }, 'the limit is'],
    [{ pattern: 'a{1000}'.repeat(3) }, 'too complex'],
    [{ pattern: 'a{9}'.repeat(21) }, 'has more than'],
    [{ pattern: '' }, 'pattern'],
    [{ pattern: 'x', path: 'uploads/picture.png' }, 'is not a text file'],
    [{ pattern: 'x', path: 'uploads/none' }, 'There is no folder'],
  ])('refuses %j with the reason', async (input, words) => {
    expect(await call('grep', input, await files)).toMatchObject({
      isError: true,
      content: expect.stringContaining(words),
    })
  })

  it('shows a limited number of lines, and of a long one the part around the match', async () => {
    const many = await filesOf({ 'uploads/a': 'x\n'.repeat(GREP_LINES_MAX + 1) })
    const { content } = await call('grep', { pattern: 'x' }, many)
    expect(content).toMatch(/^Found 100 lines.*\n(?:.*\n){100}Results truncated/)
    const long = await filesOf({ 'uploads/a': `${'-'.repeat(5_000)}needle${'-'.repeat(5_000)}` })
    const [, line = ''] = (await call('grep', { pattern: 'n[e]+dle' }, long)).content.split('\n')
    expect(line).toContain('needle')
    expect(line.length).toBeLessThan(GREP_LINE_MAX_CHARS + 50)
  })

  it('numbers lines the same however a file is split', async () => {
    const text = Array.from({ length: 5_000 }, (_, at) =>
      at % 1_000 === 999 ? 'needle' : 'é'.repeat(at % 50),
    )
    const found = await call('grep', { pattern: 'needle' }, await filesOf({ 'uploads/a': text.join('\n') }))
    expect(found.content.match(/:\d+:/g)).toEqual([':1000:', ':2000:', ':3000:', ':4000:', ':5000:'])
  })

  it('says that only the beginning of lines longer than a chunk was searched', async () => {
    const text = `needle${'-'.repeat(2 * GREP_CHUNK_BYTES)}needle\n${'-'.repeat(GREP_CHUNK_BYTES)}needle\nneedle`
    const { content } = await call('grep', { pattern: 'needle' }, await filesOf({ 'uploads/a': text }))
    expect(content.match(/:\d+:/g)).toEqual([':1:', ':3:'])
    expect(content).toContain('Only the beginning of 2 very long lines was searched.')
  })

  it('skips files that are too large, and says so', async () => {
    const large = await filesOf({ 'uploads/a': 'x'.repeat(GREP_FILE_MAX_BYTES + 1), 'uploads/b': 'x' })
    const { content } = await call('grep', { pattern: 'x' }, large)
    expect(content).toMatch(/b:1: x\nNot searched because larger than 8388608 bytes: 1 file\.$/)
    expect((await call('grep', { pattern: 'x', path: 'uploads/a' }, large)).content).toContain(
      'is larger than',
    )
  })

  it('searches skills only when asked to', async () => {
    const skills = skillsWith({ alpha: { 'SKILL.md': 'one\nalpha two', 'references/a.md': 'alpha' } })
    const found = async (path?: string): Promise<string> =>
      (await call('grep', { pattern: 'alpha', ...(path ? { path } : {}) }, await files, skills)).content
    expect(await found()).not.toContain('/mnt/skills')
    expect(await found('/mnt/skills')).toBe(
      'Found 2 lines in 2 files under /mnt/skills\n/mnt/skills/public/alpha/SKILL.md:2: alpha two\n/mnt/skills/public/alpha/references/a.md:1: alpha',
    )
    expect(await found('/mnt')).toContain('/mnt/skills/public/alpha/SKILL.md:2')
    expect(await found('/mnt')).toContain(`${DATA}/uploads/a.txt:1`)
  })

  it('stops at its work limit, and says how far it got', async () => {
    const text = random(1_000_000)
    const some = await filesOf({ 'uploads/a': 'x', 'uploads/b': text, 'uploads/c': 'x' })
    const { content, isError } = await call('grep', { pattern: '(?:a[ab]{1,30}){1,15}[2-9]' }, some)
    expect(isError).toBe(false)
    expect(content).toContain('Stopped after about a second, in file 2 of 3 (/mnt/user-data/uploads/b).')
  })
})

/** Random letters a and b, in lines of 2,000. */
function random(length: number): string {
  let state = 1
  const next = (): string => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
    return state & 0x10000 ? 'a' : 'b'
  }
  return Array.from({ length }, (_, at) => (at % 2_000 === 1_999 ? '\n' : next())).join('')
}

const PIECES = new RegExp(`[^]{1,${GREP_CHUNK_BYTES}}`, 'g')

describe('a hostile pattern', () => {
  const TEXTS = [
    random(100_000),
    'a'.repeat(100_000),
    'ab'.repeat(50_000),
    '0'.repeat(100_000),
    'é'.repeat(50_000),
  ]
  it.each([
    '(a+)+$x',
    '(a*)*[2-9]',
    '(a|aa)+[2-9]',
    '(a|b|ab)*[cd]',
    '(.*)(.*)(.*)(.*)[2-9]',
    '(?:a?){50}a{50}[2-9]',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(.*a){20}[2-9]',
    '\\b(?:\\w+\\b)*[!?]',
    '(a|b)*a(a|b){15}[2-9]',
    '(a.{20,30}){3}[2-9]',
    'a[ab]{500}[2-9]',
    '\\b.*a.{900}\\b[2-9]',
    '(?:a[ab]{1,30}){1,15}[2-9]',
    '(?i)(?:[ab]{1,31}){1,15}[2-9]',
    '\\p{L}{980}[2-9]',
    '(((((a*)*)*)*)*)*[2-9]',
    '(?:)*'.repeat(90),
  ])('%s is charged for its work', (requested) => {
    const pattern = compilePattern(requested, {})
    if (!pattern.ok) return expect(pattern.error).not.toBe('')
    const pieces = TEXTS.flatMap((text) => text.match(PIECES) ?? [])
    let done = 0
    while (done < pieces.length && pattern.value.cost() < SEARCH_COST_MAX)
      pattern.value.test(pieces[done++] ?? '')
    // Linear: the cost of one piece is bounded, whatever came before it.
    expect(pattern.value.cost()).toBeLessThan(1.5 * SEARCH_COST_MAX)
    expect(done).toBeGreaterThan(1)
  })

  it('costs more if its states exceed the cache', () => {
    const cost = (requested: string, text: string): number => {
      const pattern = compilePattern(requested, {})
      if (!pattern.ok) throw new Error(pattern.error)
      const once = (of: Pattern): number => {
        const before = of.cost()
        of.test(text)
        return of.cost() - before
      }
      once(pattern.value)
      return once(pattern.value)
    }
    const piece = random(GREP_CHUNK_BYTES)
    expect(cost('(a|b)*a(a|b){3}[2-9]', piece)).toBeLessThan(100)
    expect(cost('(a|b)*a(a|b){15}[2-9]', piece)).toBeGreaterThan(5_000)
    expect(cost('(?:a[ab]{1,30}){1,15}[2-9]', piece)).toBeGreaterThan(100_000)
  })
})
