// Promise: unwanted terms do not return, in names or in prose.

import { expect, test } from 'vitest'

import { betterName, namesIn, phrasesIn } from '../../../scripts/check/vocabulary.ts'

test.each([
  ['outsideThenAct', 'src/agent/policy.ts', 'untrusted, ports'],
  ['LINE_LANES', 'src/api/limits.ts', 'semaphore, queue'],
  ['door-keys.test.ts', 'test/workers/door-keys.test.ts', 'api'],
  ['stopWords', 'src/sandbox/notes.ts', 'text, message, terms'],
])('%s in %s is refused', (name, path, better) => {
  expect(betterName(name, path)).toBe(better)
})

test.each([
  ['constructor', 'src/agent/policy.ts'],
  ['replaceAll', 'src/agent/policy.ts'],
  ['lineNumber', 'src/agent/policy.ts'],
  ['stopWords', 'src/skills/search/stop-words.ts'],
])('%s in %s is allowed', (name, path) => {
  expect(betterName(name, path)).toBeNull()
})

test('names are those of code, with their line, not of texts and comments', () => {
  const names = namesIn('a.ts', "// outside\nexport const door = { told: 'lane' }\ninterface Heavy {}\n")
  expect(names).toEqual(
    new Map([
      ['door', 2],
      ['told', 2],
      ['Heavy', 3],
    ]),
  )
})

test('phrases are found with their line', () => {
  expect(phrasesIn('A file is stored.\nThe model is told. A name stands for a value.\n')).toEqual([
    '2: "told": write reports, says, receives',
  ])
})
