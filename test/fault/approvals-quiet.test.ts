// Guards "nothing is held open while a run waits for approval": an hour of waiting, with evictions and early alarms,
// writes no row, makes no request, and leaves one alarm at the expiry.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { APPROVAL_EXPIRY_MS } from '../../src/thread/approvals/limits.ts'
import { portsOf } from '../../src/thread/ports.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { answer, asks, waits, YES } from './approving.ts'
import { ANN, speaks, value, type TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { unwatch, watchPoints } from './plan.ts'

/**
 * The ports, and the names of those that were used. The clock, names and the build's own data make no outside request
 * and are not recorded.
 */
function noted(ports: ThreadPorts): { readonly ports: ThreadPorts; readonly used: string[] } {
  const used: string[] = []
  const watch = (name: string, port: unknown): unknown =>
    typeof port !== 'function' || ['now', 'newId', 'randomFraction', 'tools'].includes(name)
      ? port
      : (...of: unknown[]): unknown => {
          used.push(name)
          return Reflect.apply(port, ports, of)
        }
  const all = Object.entries(ports).map(([name, port]) => [name, watch(name, port)] as const)
  // The cast is safe: the names and their types are the same.
  return { ports: Object.fromEntries(all) as unknown as ThreadPorts, used }
}

/** Every row of every table. */
function rowsOf(thread: TestThread): Promise<string> {
  return thread.sql((sql) =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .toArray()
      .filter(({ name }) => !name.startsWith('_cf_'))
      .map(({ name }) => `${name}: ${JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())}`)
      .join('\n'),
  )
}

it('an hour of waiting costs 0 rows, 0 requests and 0 alarms, despite evictions and early alarms', async () => {
  const { thread, world, clock, model } = asks()
  const requested = clock.ms
  const { run_id } = await thread.start('Pay.')
  await waits(thread, run_id)
  await eventually(
    () => thread.alarmAt(),
    (at) => at === requested + APPROVAL_EXPIRY_MS,
  )
  const { ports, used } = noted({
    ...portsOf(env),
    ...speaks(model),
    now: clock.now,
    whyUnreachable: async () => null,
    tools: () => [...world.tools, world.paying()],
  })
  thread.replan(ports)
  const stub = env.THREADS.getByName(thread.name)
  await evictDurableObject(stub)
  const crash = watchPoints(thread.name, () => null)
  const before = await rowsOf(thread)
  const byAlarms: string[] = []
  let alarms = 0
  for (let minute = 1; minute <= 60; minute++) {
    clock.ms += 60_000
    if (minute % 10 === 0) await evictDurableObject(stub)
    // The platform may fire an alarm early or twice: then only the number of open runs may be reported to the workspace.
    if (minute % 20 === 0) {
      const quiet = used.splice(0)
      expect(await thread.alarm()).toBe(true)
      byAlarms.push(...used.splice(0))
      used.push(...quiet)
    }
    if ((await thread.alarmAt()) !== requested + APPROVAL_EXPIRY_MS) alarms += 1
  }
  const figures = {
    rows: (await rowsOf(thread)) === before ? 0 : 'some',
    requests: [...used],
    byAlarms: byAlarms.filter((port) => port !== 'workspace').concat(byAlarms.slice(3)),
    models: model.requests.length - 1,
    alarms,
    points: crash.points.filter((point) => point !== 'alarm'),
  }
  unwatch()
  expect(figures).toEqual({ rows: 0, requests: [], byAlarms: [], models: 0, alarms: 0, points: [] })
  value(await answer(thread, ANN, run_id, 't1', YES))
  await thread.ended(run_id)
  expect(world.sent).toHaveLength(1)
  expect(used.length).toBeGreaterThan(0)
})
