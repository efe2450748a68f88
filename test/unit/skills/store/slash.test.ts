// Promise: a person calls skills by name, several at once, and no other text counts as a call. A caller without
// permission is told why and is offered only names that would work.

import { describe, expect, test } from 'vitest'
import { CALLED_SKILLS_MAX } from '../../../../src/limits/skills.ts'
import type { SkillIndex } from '../../../../src/skills/skill.ts'
import { calledSkill, slashCommands } from '../../../../src/skills/view/slash.ts'
import { entry } from './entries.ts'

describe('commands', () => {
  test.each<[string, readonly string[], string]>([
    ['/review Look at this.', ['review'], 'Look at this.'],
    ['/review', ['review'], ''],
    ['/review\n\nTwo lines\nof it', ['review'], 'Two lines\nof it'],
    ['/code-review /api-design  do it', ['code-review', 'api-design'], 'do it'],
    ['/a /a b', ['a'], 'b'],
    ['/a2-b3 x', ['a2-b3'], 'x'],
    ['/review /help me', ['review'], '/help me'],
    ['/help me', [], '/help me'],
    ['/new', [], '/new'],
    ['/news today', ['news'], 'today'],
    ['/etc/hosts is a file', [], '/etc/hosts is a file'],
    ['/etc/', [], '/etc/'],
    [' /review x', [], ' /review x'],
    ['//review', [], '//review'],
    ['/ review', [], '/ review'],
    ['/Review x', [], '/Review x'],
    ['/re_view x', [], '/re_view x'],
    ['/-review x', [], '/-review x'],
    ['/review- x', [], '/review- x'],
    ['/re--view x', [], '/re--view x'],
    ['/review, please', [], '/review, please'],
    ['please /review', [], 'please /review'],
    ['', [], ''],
  ])('%j', (text, names, rest) => {
    expect(slashCommands(text)).toEqual({ names, rest })
  })

  test('are read up to one beyond the limit, however many there are', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `/s${at} `).join('')
    expect(slashCommands(many).names).toHaveLength(CALLED_SKILLS_MAX + 1)
    expect(slashCommands('/a '.repeat(100_000)).names).toEqual(['a'])
  })
})

describe('a called skill', () => {
  const index: SkillIndex = {
    format: 1,
    skills: [
      entry('by-hand', { model_invocable: false }),
      entry('helper'),
      entry('machines', { user_invocable: false }),
      entry('off', { enabled: false }),
      entry('review', { dependencies: ['helper'] }),
    ],
  }

  test.each([
    ['review', null],
    ['by-hand', null],
    ['review', ['review']],
    ['helper', ['review']],
    ['by-hand', ['by-hand']],
  ] as const)('%s may be called if %j is allowed', (name, allow) => {
    expect(calledSkill(index, allow, name)).toMatchObject({ ok: true, value: { name } })
  })

  test.each([
    ['machines', null, 'cannot be called by name'],
    ['off', null, 'switched off'],
    ['review', ['helper'], 'not available in this thread'],
    ['by-hand', ['review'], 'not available in this thread'],
    ['off', ['review'], 'not available in this thread'],
    ['reveiw', null, "There is no skill 'reveiw'. Did you mean review?"],
    ['by-hands', null, 'Did you mean by-hand?'],
  ] as const)('%s if %j is allowed: %s', (name, allow, words) => {
    expect(calledSkill(index, allow, name)).toMatchObject({
      ok: false,
      error: expect.stringContaining(words),
    })
  })

  test.each([
    ['of', null],
    ['machine', null],
    ['reviews', ['helper']],
  ] as const)('%s if %j is allowed is answered without a forbidden suggestion', (name, allow) => {
    const answer = calledSkill(index, allow, name)
    expect(answer.ok).toBe(false)
    expect(JSON.stringify(answer)).not.toContain('Did you mean')
  })
})
