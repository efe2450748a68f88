// Reads the OpenMetrics text format strictly, for tests.

import { expect } from 'vitest'

/** The values of samples, by name with labels. Fails unless each family is declared once and before its samples. */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  expect(text.endsWith('\n# EOF\n')).toBe(true)
  const types = new Map<string, string>()
  const samples = new Map<string, number>()
  let family = ''
  for (const line of text.slice(0, -'# EOF\n'.length).trimEnd().split('\n')) {
    const [, word, name = '', rest = ''] = /^# (TYPE|HELP) (\w+) (.+)$/.exec(line) ?? []
    if (word === 'TYPE') {
      expect([name, types.has(name)]).toEqual([name, false])
      types.set(name, rest)
      family = name
    }
    if (word !== undefined) {
      expect(name).toBe(family)
      continue
    }
    const sample =
      /^(\w+?)(_total|_bucket|_count|_sum)?(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(
        line,
      )
    expect([line, sample?.[1]]).toEqual([line, family])
    const [, , suffix = ''] = sample ?? []
    const suffixes = { counter: ['_total'], histogram: ['_bucket', '_count', '_sum'], gauge: [''] }
    expect(suffixes[types.get(family) as keyof typeof suffixes]).toContain(suffix)
    const id = line.slice(0, line.lastIndexOf(' '))
    expect([id, samples.has(id)]).toEqual([id, false])
    samples.set(id, Number(sample?.[4]))
  }
  return samples
}
