// Guards which words of a body are in the search index: the distinctive ones, within the size that is stored.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { SEARCH_TERMS_MAX_BYTES } from '../../../../src/skills/search/limits.ts'
import { GROUP_SEPARATOR, indexTerms } from '../../../../src/skills/search/terms.ts'
import { HANG_GUARD } from '../../hang-guard.ts'

function groups(body: string, known?: string): readonly (readonly string[])[] {
  return indexTerms(body, known)
    .split(GROUP_SEPARATOR)
    .map((group) => group.split(' ').filter(Boolean))
}

describe('the words of a body', () => {
  it('are separate for headings and text', () => {
    const [headings, body] = groups('# Watermarks\n\nStamp each page with the logo.\n')
    expect(headings).toEqual(['watermark'])
    expect(body).toContain('logo')
    expect(body).not.toContain('watermark')
  })

  it('omit words of nearly every skill, and those of the description', () => {
    const body = '# Overview\n\nUse the following example to run the watermark step.'
    expect(indexTerms(body, 'Adds watermarks.')).toBe('')
  })

  it('put a word of many lines before one of a few, and prose before code', () => {
    const body = 'zebra\n\nlion\nlion\n\n```\ngiraffe\n```\n'
    expect(groups(body)[1]).toEqual(['lion', 'zebra', 'giraf'])
  })

  it('include words of other alphabets', () => {
    expect(groups('# Отчёты\n\nСводка продаж.')[0]).toEqual(['отчеты'])
    expect(groups('数据分析')[1]).toEqual(['数据', '据分', '分析'])
  })

  it('are none for an empty body', () => {
    expect(indexTerms('')).toBe('')
    expect(indexTerms('1 2 3\n\n---\n')).toBe('')
  })

  it.each([
    'hunter2hunter2',
    'hunter2',
    's3cr3tive',
    'AKIAB7B7B7B7B7B7B7B7',
    'ghp_abcDEF123456ghijklMNOPqrstuv012345',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzKEY',
    '550e8400-e29b-41d4-a716-446655440000',
    'xKfLmQpZrTs',
    'qwrtzpsdfghjkl',
    'correcthorsebatterystaple',
    '\uFF48\uFF55\uFF4E\uFF54\uFF45\uFF52\uFF12',
  ])('omit text that looks like a key: %s', (key) => {
    expect(
      indexTerms(`# ${key}\n\nSet it to ${key}, then:\n\n\`\`\`\nKEY=${key}\n\`\`\`\n`, 'then set key'),
    ).toBe('')
  })

  it('include words with digits', () => {
    const output = 'k8s oauth2 s3 sha256 utf8 python3 react19 i18n log4j float32'
    expect(new Set(groups(output)[1])).toEqual(new Set(output.split(' ')))
    expect(groups('getServerSideProps at references/ec2_guide.md, strengths')[1]).toContain(
      'getserversideprop',
    )
    expect(groups('getServerSideProps at references/ec2_guide.md, strengths')[1]).toContain('strength')
  })

  it('are the same each time', () => {
    const body = Array.from({ length: 300 }, (_, at) => `tiger${at % 50} paper${at}`).join('\n')
    expect(indexTerms(body)).toBe(indexTerms(body))
  })
})

describe('a body of any size', () => {
  it.each([
    ['many words', Array.from({ length: 5_000 }, (_, at) => `# w${at}x\nv${at}y`).join('\n')],
    ['ideographs', '漢字の文章を書く。'.repeat(20_000)],
    ['a word of a megabyte', 'a'.repeat(1_000_000)],
    ['a word a line', Array.from({ length: 150_000 }, (_, at) => `w${at.toString(36)}`).join('\n')],
    ['fences that never close', '```\nvalue\n~~~\n'.repeat(10_000)],
  ])('of %s uses no more bytes than its limit in the index', HANG_GUARD, (_, body) => {
    expect(utf8(indexTerms(body)).length).toBeLessThanOrEqual(SEARCH_TERMS_MAX_BYTES)
  })
})
