// Guards that a question does not fail because of the form of its options: models write them in many forms.

import { describe, expect, it } from 'vitest'
import { answerOptions } from '../../../src/lib/answer-options.ts'

describe('options of a question', () => {
  const forms: Record<string, [given: unknown, options: readonly string[]]> = {
    'a list': [
      ['Europe', 'Asia'],
      ['Europe', 'Asia'],
    ],
    'JSON in a text': ['["Europe", "Asia"]', ['Europe', 'Asia']],
    'lines with bullets and numbers': ['- Europe\n2. Asia\n* Africa', ['Europe', 'Asia', 'Africa']],
    'one text': ['Europe, or Asia', ['Europe, or Asia']],
    'nested objects': [{ a: { label: 'Europe' }, b: ['Asia', 3, true] }, ['Europe', 'Asia', '3', 'true']],
    'spaces, duplicates and tags': [
      [' Europe ', '', 'Europe', '<b>Asia</b>', '   '],
      ['Europe', 'Asia'],
    ],
    'broken JSON': ['["Europe", "Asia"', ['["Europe", "Asia"']],
    'JSON that is nested too deep': [
      `${'['.repeat(50)}"x"${']'.repeat(50)}`,
      [`${'['.repeat(50)}"x"${']'.repeat(50)}`],
    ],
    nothing: [undefined, []],
    null: [null, []],
  }
  for (const [form, [given, options]] of Object.entries(forms))
    it(`may be ${form}`, () => expect(answerOptions(given)).toEqual(options))
})
