// Guards what the built-in skills cost a thread that uses none of them.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeBuild } from '../../../../scripts/build/build.ts'
import { estimateTokens } from '../../../../src/lib/tokens.ts'
import { levelOne } from '../../../../src/skills/view/section.ts'

const ROOT = join(import.meta.dirname, '../../../..')

it('built-in skills use at most 100 tokens each in level 1, tags, location and frame included', async () => {
  const { skills } = (await makeBuild([join(ROOT, 'skills')], false)).build.index
  expect(skills.length).toBeGreaterThan(5)
  const { text, whole } = levelOne(skills, Number.POSITIVE_INFINITY)
  expect(whole).toBe(true)
  expect(estimateTokens(text) / skills.length).toBeLessThanOrEqual(100)
})
