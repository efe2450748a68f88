// Guards "accepted is kept" for a deleted hook: it disappears at once for everybody, but accepted deliveries that had
// not begun become failed runs before its rows are deleted, whatever dies meanwhile.
import { abortAllDurableObjects } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import type { Hook } from '../../src/webhooks/hook.ts'
import { accepted, BUILD, config, inside, makeDue, signed, states, Threads, newest } from './hook-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const BROKEN = async (): Promise<ReturnType<typeof fail>> => fail('internal', 'The disk is on fire.')

async function deliver(object: Hook, hook: ReturnType<typeof config>, id: string) {
  const one = signed(hook, id)
  return accepted(object.deliver(one.headers, one.body, BUILD))
}

describe('a hook that is deleted', () => {
  it('stays deleted when a run that it was starting answers late, and that run exists as a failed one', async () => {
    const hook = config()
    const threads = new Threads()
    const gate = Promise.withResolvers<void>()
    threads.answer = async () => {
      await gate.promise
      return fail('internal', 'Late.')
    }
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_1')
      await eventually(() => threads.requested.length === 1)
      await object.remove('default')
      expect(await object.view('default')).toMatchObject({ ok: false })
      gate.resolve()
      await object.alarm()
      // A delivery that never began becomes a failed run.
      expect(threads.failed.map(({ why }) => why)).toEqual(['The hook was deleted.'])
      expect(await object.view('default')).toMatchObject({ ok: false })
      expect(await state.storage.getAlarm()).toBeNull()
    })
  })

  it('ends accepted deliveries that never began, whatever dies meanwhile, and only then deletes its rows', async () => {
    const hook = config()
    const threads = new Threads()
    threads.answer = BROKEN
    threads.bury = () => Promise.reject(new Error('away'))
    const promised = await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answers = [await deliver(object, hook, 'msg_1'), await deliver(object, hook, 'msg_2')]
      await object.alarm()
      expect(await object.remove('default')).toEqual({ ok: true, value: null })
      await object.alarm()
      // Nobody finds the hook, it accepts nothing, and it cannot be created again while work is left.
      for (const answer of [
        object.view('default'),
        object.remove('default'),
        object.deliveries('default', newest(10)),
        object.deliver(signed(hook, 'msg_3').headers, signed(hook, 'msg_3').body, BUILD),
      ])
        expect(await answer).toMatchObject({ ok: false, error: { code: 'not_found' } })
      expect(await object.configure(hook)).toMatchObject({ ok: false, error: { code: 'gone' } })
      expect(JSON.stringify(state.storage.sql.exec('SELECT * FROM hook').toArray())).not.toContain('whsec_')
      expect(states(state).length).toBe(2)
      await state.storage.sync()
      return answers.map(({ run_id }) => run_id)
    })
    await abortAllDurableObjects()
    const later = new Threads()
    await inside(hook, later, async (object, state) => {
      expect(await state.storage.getAlarm()).not.toBeNull()
      makeDue(state)
      await object.alarm()
      expect(later.requested).toEqual([])
      expect(later.failed.map(({ runId, why }) => [runId, why])).toEqual(
        promised.map((runId) => [runId, 'The hook was deleted.']),
      )
      expect(await state.storage.getAlarm()).toBeNull()
      expect(
        state.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name IN ('hook', 'deliveries')").toArray(),
      ).toEqual([])
      expect(await object.configure(hook)).toMatchObject({ ok: true })
      expect(await object.deliveries('default', newest(10))).toEqual({
        ok: true,
        value: { data: [], next: null },
      })
    })
  })
})
