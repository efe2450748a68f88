// Guards "calls keep the model's order": reads run in parallel, a call with side effects is a barrier on both sides.

import { describe, expect, it } from 'vitest'
import { groupCalls } from '../../../src/agent/call-groups.ts'
import type { Effect } from '../../../src/agent/tool.ts'

function groups(...effects: readonly Effect[]): readonly string[] {
  const calls = effects.map((effect, at) => ({ effect, at }))
  return groupCalls(calls).map((group) => group.map(({ at }) => at).join('+'))
}

describe('the calls of one message', () => {
  it('run in parallel if they only read', () => {
    expect(groups('read', 'read', 'read')).toEqual(['0+1+2'])
  })

  it('run alone, one after the other, if they have side effects', () => {
    expect(groups('once', 'idempotent', 'once')).toEqual(['0', '1', '2'])
  })

  it('are split before and after each one with side effects', () => {
    expect(groups('read', 'once', 'read', 'read', 'idempotent', 'read')).toEqual(['0', '1', '2+3', '4', '5'])
  })

  it('may be none', () => {
    expect(groups()).toEqual([])
  })
})
