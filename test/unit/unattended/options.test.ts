// Guards that a run that no person starts has exactly the options its admin set, and that its threads are separate for
// each option that a thread keeps.
import { describe, expect, it } from 'vitest'
import { callerOf, fixedOptions, inputOf } from '../../../src/unattended/options.ts'
import type { PromisedRun } from '../../../src/unattended/options.ts'
import { RUN_OPTIONS } from './run-options.ts'

const RUN: PromisedRun = {
  threadId: 'th_1',
  runId: 'run_1',
  message: [{ type: 'text', text: 'Go.' }],
  fenced: true,
  metadata: { hook_id: 'hk_1' },
  build: 'b'.repeat(64),
  requestId: 'dl_1',
  idempotency: { key: 'delivery:dl_1', digest: 'd'.repeat(64) },
  onBusy: 'enqueue',
}

describe('a run that no person starts', () => {
  it('has its configured skills, tools, model and budget', () => {
    const budget = { ...RUN_OPTIONS.budget, usd: 0.1 }
    const skills = { allow: ['alpha', 'beta'], load: ['alpha'] }
    expect(
      inputOf({ ...RUN_OPTIONS, skills, tools: ['web_fetch'], model: 'm-1', budget }, RUN),
    ).toMatchObject({
      ...RUN,
      create: true,
      allowSkills: ['alpha', 'beta'],
      calls: [{ name: 'alpha', via: 'request', path: 'skills.load[0]' }],
      tools: ['web_fetch'],
      model: 'm-1',
      budget,
      onDisconnect: 'continue',
      follow: false,
    })
  })

  it('belongs to its starter, for the configured user, and may make the allowed calls', () => {
    const call = { tool: 'tickets', fields: { '/project': 'OPS' }, free: ['/text'] }
    const starter = { id: 'hook:hk_1', workspace: 'default' }
    const caller = { workspace: 'default', keyId: 'hook:hk_1', role: 'chat', user: null }
    expect(callerOf(starter, RUN_OPTIONS)).toEqual(caller)
    expect(callerOf(starter, { user: 'ann', allowed_calls: [call] })).toEqual({
      ...caller,
      user: 'ann',
      allowedCalls: [call],
    })
  })

  it('needs another thread when an option that a thread keeps differs, and only then', () => {
    const base = fixedOptions(RUN_OPTIONS)
    expect(base).toBe('')
    const skills = { allow: ['a', 'b'], load: [] }
    const others = [{ model: 'm-1' }, { tools: [] }, { tools: ['m-1'] }, { skills }, { skills, model: 'm-1' }]
    const texts = others.map((change) => fixedOptions({ ...RUN_OPTIONS, ...change }))
    expect(new Set([base, ...texts]).size).toBe(others.length + 1)
    const load = { allow: null, load: ['alpha'] }
    expect(fixedOptions({ ...RUN_OPTIONS, skills: load })).toBe(base)
    expect(fixedOptions({ ...RUN_OPTIONS, skills: { allow: ['b', 'a'], load: [] } })).toBe(texts[3])
  })
})
