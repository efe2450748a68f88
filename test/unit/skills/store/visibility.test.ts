// Promise 5: one function decides who may know of a skill. The same question gives the same array, so that results
// derived from it can be cached, and the cost of a look-up does not grow with the index.

import { describe, expect, test } from 'vitest'
import { AUDIENCE_LISTS_MAX } from '../../../../src/skills/view/limits.ts'
import type { IndexEntry, SkillIndex } from '../../../../src/skills/skill.ts'
import {
  EVERYBODY,
  skillNamed,
  stillVisible,
  switchedOff,
  visibleSkill,
  visibleSkills,
  type Audience,
} from '../../../../src/skills/view/visibility.ts'
import { entry } from './entries.ts'

function indexOf(...skills: IndexEntry[]): SkillIndex {
  return { format: 1, skills }
}

const INDEX = indexOf(
  entry('base'),
  entry('by-hand', { model_invocable: false, dependencies: ['helper'] }),
  entry('deep'),
  entry('helper', { dependencies: ['deep', 'leaf', 'missing'] }),
  entry('leaf', { dependencies: ['helper'] }),
  entry('off', { enabled: false, dependencies: ['base'] }),
  entry('review', { dependencies: ['helper'] }),
)

function names(audience: Audience, index = INDEX): string {
  return visibleSkills(index, audience)
    .map((skill) => skill.name)
    .join()
}

describe('an audience sees', () => {
  test.each<[string, Audience, string]>([
    ['all enabled skills that are not hidden from models', EVERYBODY, 'base,deep,helper,leaf,review'],
    [
      'skills that a person called, too',
      { allow: null, invoked: ['by-hand'] },
      'base,by-hand,deep,helper,leaf,review',
    ],
    [
      'nothing new by calling disabled or unknown skills',
      { allow: null, invoked: ['off', 'nobody'] },
      'base,deep,helper,leaf,review',
    ],
    ['nothing on an empty list', { allow: [], invoked: [] }, ''],
    [
      'all dependencies of a skill, at any depth, and in cycles',
      { allow: ['review'], invoked: [] },
      'deep,helper,leaf,review',
    ],
    ['nothing through a disabled skill', { allow: ['off'], invoked: [] }, ''],
    ['nothing through a skill hidden from models', { allow: ['by-hand'], invoked: [] }, ''],
    [
      'dependencies of a hidden skill that a person called',
      { allow: ['by-hand'], invoked: ['by-hand'] },
      'by-hand,deep,helper,leaf',
    ],
    ['no called skill that is not on the list', { allow: ['base'], invoked: ['by-hand'] }, 'base'],
  ])('%s', (_, audience, seen) => {
    expect(names(audience)).toBe(seen)
    for (const skill of INDEX.skills)
      expect(visibleSkill(INDEX, audience, skill.name)?.name).toBe(
        seen.split(',').includes(skill.name) ? skill.name : undefined,
      )
  })
})

describe('the same question', () => {
  test('has the very same answer, in any order of the names', () => {
    const one = visibleSkills(INDEX, { allow: ['review', 'base'], invoked: [] })
    expect(visibleSkills(INDEX, { allow: ['base', 'review', 'base'], invoked: [] })).toBe(one)
    expect(visibleSkills(INDEX, EVERYBODY)).toBe(visibleSkills(INDEX, { allow: null, invoked: [] }))
    expect(visibleSkills(indexOf(...INDEX.skills), EVERYBODY)).not.toBe(visibleSkills(INDEX, EVERYBODY))
  })

  test('is the same if a called skill is visible anyway, so that results cached by list are reused', () => {
    expect(visibleSkills(INDEX, { allow: null, invoked: ['base'] })).toBe(visibleSkills(INDEX, EVERYBODY))
  })

  test('keeps a limited number of answers', () => {
    const index = indexOf(entry('a'), entry('b'))
    const first = visibleSkills(index, { allow: ['a'], invoked: [] })
    for (let at = 0; at <= AUDIENCE_LISTS_MAX; at++)
      visibleSkills(index, { allow: ['a', `x${at}`], invoked: [] })
    const again = visibleSkills(index, { allow: ['a'], invoked: [] })
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  test('looks a name up without walking the index', () => {
    let walked = 0
    const many = Array.from({ length: 10_000 }, (_, at) => entry(`skill-${String(at).padStart(5, '0')}`))
    const skills = new Proxy(many, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) walked++
        return Reflect.get(target, key, receiver) as unknown
      },
    })
    const index: SkillIndex = { format: 1, skills }
    expect(visibleSkill(index, EVERYBODY, 'skill-09999')?.name).toBe('skill-09999')
    walked = 0
    for (let at = 0; at < 100; at++) visibleSkill(index, { allow: null, invoked: [] }, 'skill-05000')
    expect(walked).toBe(0)
  })
})

describe('the live catalog', () => {
  test('removes disabled or hidden skills, and keeps those that a person called', () => {
    const called: Audience = { allow: null, invoked: ['a'] }
    expect(stillVisible(entry('a'), EVERYBODY)).toBe(true)
    expect(stillVisible(entry('a', { enabled: false }), called)).toBe(false)
    expect(stillVisible(entry('a', { model_invocable: false }), EVERYBODY)).toBe(false)
    expect(stillVisible(entry('a', { model_invocable: false }), called)).toBe(true)
  })

  test('reports a skill as disabled only to those who would see it enabled', () => {
    expect(switchedOff(INDEX, EVERYBODY, 'off')).toBe(true)
    expect(switchedOff(INDEX, { allow: ['base'], invoked: [] }, 'off')).toBe(false)
    expect(switchedOff(INDEX, EVERYBODY, 'base')).toBe(false)
    expect(switchedOff(INDEX, EVERYBODY, 'nobody')).toBe(false)
    expect(skillNamed(INDEX, 'off')?.name).toBe('off')
  })
})
