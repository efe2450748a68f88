// Guards "calls keep the model's order": reads run beside reads, a call that acts is a barrier on both sides.

import { describe, expect, it } from 'vitest'
import { groupCalls } from '../../../src/agent/call-groups.ts'
import type { Effect } from '../../../src/agent/tool.ts'

function groups(...effects: readonly Effect[]): readonly string[] {
  const calls = effects.map((effect, at) => ({ effect, at }))
  return groupCalls(calls).map((group) => group.map(({ at }) => at).join('+'))
}

describe('the calls of one message', () => {
  it('that only read are made side by side', () => {
    expect(groups('read', 'read', 'read')).toEqual(['0+1+2'])
  })

  it('that act are made alone, one after the other', () => {
    expect(groups('once', 'idempotent', 'once')).toEqual(['0', '1', '2'])
  })

  it('are cut before and behind each one that acts', () => {
    expect(groups('read', 'once', 'read', 'read', 'idempotent', 'read')).toEqual(['0', '1', '2+3', '4', '5'])
  })

  it('may be none', () => {
    expect(groups()).toEqual([])
  })
})
