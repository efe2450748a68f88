// Promise: a comment does not describe a parameter by a name that it no longer has.

import { expect, test } from 'vitest'

import { staleNames } from '../../../scripts/check/comment-names.ts'

const message = (line: number, name: string): string =>
  `${line}: \`${name}\` does not occur in the code: use the parameter's current name`

test.each([
  [
    '/** Lists rows. `max`: at most this many. */\nexport function list(limit: number) {}',
    [message(1, 'max')],
  ],
  ['/** `held` is the memory in use. */\nconst list = async (limit: number) => limit', [message(1, 'held')]],
  [
    '\n/**\n * Waits.\n * `work` rejects late.\n */\nfunction wait(job: Promise<void>) {}',
    [message(2, 'work')],
  ],
  ['class A {\n  /** Awaits `work`. */\n  async with<T>(job: T) {}\n}', [message(2, 'work')]],
])('%j has stale names', (text, expected) => {
  expect(staleNames('a.ts', text)).toEqual(expected)
})

test.each([
  '/** Lists rows. `limit`: at most this many. */\nexport function list(limit: number) {}',
  '/** Sets `max` rows: `max` is not described here. */\nexport function list(limit: number) {}',
  '/** `czf` and similar options. */\nconst options = 1',
  "/** `kind` is the type's field. */\nfunction check(value: { readonly kind: string }) {}",
  '// `old` is only mentioned in a note.\nfunction check(value: string) {}',
])('%j has no stale names', (text) => {
  expect(staleNames('a.ts', text)).toEqual([])
})
