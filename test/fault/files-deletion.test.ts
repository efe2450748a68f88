// Guards "nothing haunts" for files: however the deletion of a thread with many files is interrupted, no file remains
// in rows or R2, and a new thread with the same id is not affected.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { r2Files } from '../../src/files/store.ts'
import { STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import { checkAgree, keysOf, large, tree, upload } from './files-rig.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text } from './scripted-model.ts'

const DONE = { content: [text('Done.')] }
const FILES = 1_000
const LARGE = 10
const STAGED = 5

interface Full {
  readonly thread: TestThread
  readonly clock: HandClock
}

/** A thread with a thousand files, some in R2, and with uploads in progress. */
async function full(files = FILES): Promise<Full> {
  const clock = new HandClock()
  const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), now: clock.now })
  await thread.ended((await thread.start('Hello.')).run_id)
  const held: Record<string, string> = {}
  for (let at = 0; at < files - LARGE; at++) held[`uploads/${at % 7}/${at}.txt`] = `file ${at}`
  for (let at = 0; at < LARGE; at++) held[`uploads/large-${at}.txt`] = large(`L${at}`)
  await upload(thread, held)
  for (let at = 0; at < STAGED; at++) {
    const { key } = value(await thread.api.stageFile(thread.caller, 9, null))
    // The last upload has not arrived yet.
    if (at < STAGED - 1) await env.FILES.put(key, 'on its way')
  }
  expect(await keysOf(thread)).toHaveLength(LARGE + STAGED - 1)
  return { thread, clock }
}

function rows(thread: TestThread): Promise<Readonly<Record<string, number>>> {
  return thread.sql((sql) => {
    const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const own = names
      .map(({ name }) => String(name))
      .filter((name) => !/^_cf|^sqlite_|^migrations$/.test(name))
    const counts = own.map((name) => [name, Number(sql.exec(`SELECT count(*) AS n FROM ${name}`).one()['n'])])
    return Object.fromEntries(counts.filter(([, count]) => count !== 0)) as Record<string, number>
  })
}

/** Wakes the object until nothing of the thread is left. */
async function checkGone({ thread, clock }: Full): Promise<void> {
  clock.ms += STAGED_FILE_RETENTION_MS + 1
  await eventually(
    async () => {
      await thread.alarm()
      return rows(thread).catch(() => ({ dying: 1 }))
    },
    (left) => Object.keys(left).length === 0,
  )
  expect(await keysOf(thread)).toEqual([])
  expect(await thread.alarmAt()).toBeNull()
}

describe('a deleted thread with a thousand files', () => {
  afterEach(unwatch)

  it('leaves nothing, and bytes that arrive later are deleted, too', async () => {
    const { thread, clock } = await full()
    const late = await thread.sql(
      (sql) => sql.exec<{ key: string }>('SELECT key FROM objects ORDER BY id DESC LIMIT 1').one().key,
    )
    await thread.api.remove(thread.caller)
    expect(await keysOf(thread)).toEqual([])
    // Only rows of uploads that may still arrive.
    expect(await rows(thread)).toEqual({ deletion: 1, objects: STAGED })
    await env.FILES.put(late, 'too late')
    await checkGone({ thread, clock })
  })

  for (const mode of ['lose', 'keep'] as const satisfies readonly CrashMode[])
    it(`leaves nothing wherever its deletion is killed (${mode})`, async () => {
      const points = [
        'deletion.marked',
        'deletion.reported',
        'deletion.objects',
        'deletion.batch',
        'deletion.late',
      ]
      for (const point of points) {
        const made = await full()
        // For batches, one in the middle.
        const nth = point === 'deletion.batch' ? 6 : 1
        let met = 0
        const crash = watchPoints(made.thread.name, (_, passed) =>
          passed === point && ++met === nth ? mode : null,
        )
        await made.thread.api.remove(made.thread.caller).catch(() => undefined)
        await checkGone(made)
        expect(crash.fired, point).toBe(1)
      }
    }, 120_000)

  it('leaves nothing when it is killed at every second point and the store is unavailable at times', async () => {
    const made = await full(100)
    const real = r2Files(env.FILES)
    let requested = 0
    const removeSome = (prefix: string): Promise<boolean> =>
      ++requested % 2 === 1 ? Promise.reject(new Error('away')) : real.removeSome(prefix)
    made.thread.adjust({ store: { ...real, removeSome } })
    await made.thread.kill()
    const crash = watchPoints(made.thread.name, (index, point, { fired }) =>
      point.startsWith('deletion.') && index % 2 === 0 && fired < 8 ? 'keep' : null,
    )
    await made.thread.api.remove(made.thread.caller).catch(() => undefined)
    await checkGone(made)
    expect(crash.fired).toBe(8)
    expect(requested).toBeGreaterThan(2)
  })

  it('does not affect its replacement while the last objects are deleted', async () => {
    const { thread, clock } = await full(20)
    const real = r2Files(env.FILES)
    const gate = { reached: false, open: false }
    const remove = async (keys: readonly string[]): Promise<void> => {
      gate.reached = true
      await eventually(
        () => gate.open,
        (open) => open,
      )
      await real.remove(keys)
    }
    await thread.api.remove(thread.caller)
    thread.adjust({ store: { ...real, remove } })
    await thread.kill()
    clock.ms += STAGED_FILE_RETENTION_MS + 1
    const burying = thread.alarm()
    await eventually(
      () => gate.reached,
      (reached) => reached,
    )
    await thread.ended((await thread.start('Anew.')).run_id)
    await upload(thread, { 'uploads/new.txt': large('new'), 'uploads/small.txt': 'new' })
    gate.open = true
    await burying
    expect(await tree(thread)).toEqual({ 'uploads/new.txt': large('new'), 'uploads/small.txt': 'new' })
    expect(await thread.messages()).toHaveLength(2)
    await checkAgree(thread, clock)
  })
})
