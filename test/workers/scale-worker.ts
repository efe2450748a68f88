// The Worker of the bench part workspace-scale: Satchel, with a workspace that a request fills with threads and runs.

import { Workspace as RealWorkspace } from '../../src/workspace/workspace.ts'
import { DAY_MS, rfc3339 } from '../../src/lib/clock.ts'
import { objects, type Env } from '../../src/env/env.ts'
import app from '../../src/index.ts'
import { SCALE_DAYS, type Admit, type Admitted, type Fill } from '../../scripts/lab/bench/fill.ts'

export { Catalog, Endpoint, Hook, Schedule, Thread } from '../../src/index.ts'

const KEYS = 50
const HOOKS = 10
const SKILLS = 20

/** Columns of a run, as terms of its number n. Some values are rare, so that a filter reads many rows. */
const RUN = `'run_' || n, 'th_' || (n % 100000),
  CASE WHEN n % 5 = 0 THEN 'hook:hk_' || (n % ${HOOKS * 5} / 5) ELSE 'key' || (n % ${KEYS}) END,
  CASE WHEN n % 100003 = 7 THEN 'rare' ELSE 'user' || (n % ${KEYS}) || '@example.com' END,
  'claude-' || (n % 4), '[["skill-' || (n % ${SKILLS}) || '","' || printf('%064d', n % ${SKILLS}) || '"]]',
  CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 70 = 0 THEN 'cancelled' ELSE 'completed' END,
  CASE WHEN n % 50 = 0 THEN 'model_error' WHEN n % 70 = 0 THEN 'cancelled' ELSE 'answered' END`

const SUMS = `count(*), sum(status = 'failed'), sum(status = 'cancelled'), sum(steps), sum(tool_calls), sum(input_tokens),
  sum(output_tokens), sum(cache_creation_input_tokens), sum(cache_read_input_tokens), sum(charged_tokens), sum(charged_micro),
  sum(cost_micro), max(estimated)`

export class Workspace extends RealWorkspace {
  async fill({ runs, threads, total, now, isLast }: Fill): Promise<void> {
    const sql = this.open()
    const numbers =
      'WITH RECURSIVE num (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM num WHERE n < CAST(?2 AS INTEGER) - 1)'
    const [startMs, stepMs] = [now - SCALE_DAYS * DAY_MS, Math.floor((SCALE_DAYS * DAY_MS) / total.runs)]
    this.ctx.storage.transactionSync(() => {
      if (runs[0] < runs[1])
        sql.exec(
          `${numbers} INSERT INTO run_rows (ended_at, run, thread, key, user, model, skills, status, stop_reason, accepted_at,
             started_at, first_text_at, waited_ms, steps, tool_calls, recoveries, interrupted_waits, input_tokens, output_tokens,
             cache_creation_input_tokens, cache_read_input_tokens, cost_micro, charged_tokens, charged_micro, estimated, rating)
           SELECT ?3 + n * ?4, ${RUN}, ?3 + n * ?4 - 9000, ?3 + n * ?4 - 8990, ?3 + n * ?4 - 8000 + n % 900, 0, 1 + n % 7, n % 6,
             0, 0, 9000 + n % 999, 300, 100, 5000, 30000 + n % 999, 14400, 30000 + n % 999, 0,
             CASE WHEN n % 999 = 0 THEN 'down' END FROM num`,
          ...runs,
          startMs,
          stepMs,
        )
      const [template] = sql.exec<{ info: string }>('SELECT info FROM threads LIMIT 1').toArray()
      if (template && threads[0] < threads[1])
        sql.exec(
          `${numbers}, at (n, id, time) AS (SELECT n, 'th_' || n, strftime('%Y-%m-%dT%H:%M:%fZ', (?3 + n * ?4) / 1000.0, 'unixepoch') FROM num)
           INSERT INTO threads SELECT id, 'user:user' || (n % ${KEYS}) || '@example.com', time, time, 'key' || (n % ${KEYS}), 0, id,
             json_set(?5, '$.id', id, '$.root', id, '$.title', 'Conversation number ' || n, '$.created_at', time, '$.updated_at', time) FROM at`,
          ...threads,
          startMs,
          Math.floor((SCALE_DAYS * DAY_MS) / total.threads),
          template.info,
        )
      if (isLast) this.#sum(sql, total.runs)
    })
  }

  /** Stores the sums of all runs but the newest 200, which wait as usual. */
  #sum(sql: SqlStorage, total: number): void {
    const { to } = sql
      .exec<{ to: number }>('SELECT ended_at AS "to" FROM run_rows WHERE run = ?', `run_${total - 200}`)
      .one()
    const days = "strftime('%Y-%m-%d', ended_at / 1000, 'unixepoch')"
    const isHook = "instr(key, ':') > 0"
    for (const [dimension, value, condition] of [
      ['all', "''", '1'],
      ['key', 'key', `NOT ${isHook}`],
      ['hook', 'key', isHook],
      ['user', 'user', '1'],
      ['model', 'model', '1'],
      ['skill', 'skills ->> 0 ->> 0', '1'],
    ])
      sql.exec(
        `INSERT INTO usage_days SELECT '${dimension}', ${days}, ${value}, ${SUMS} FROM run_rows
         WHERE ended_at < ? AND ${condition} GROUP BY 2, 3`,
        to,
      )
    sql.exec('UPDATE usage_state SET summed_to = ?, kept = ?', to, total - 200)
  }
}

async function admit(env: Env, { runs: [from, to], stay }: Admit): Promise<Admitted> {
  const workspace = objects(env).workspace('default')
  const now = Date.now()
  const wish = {
    user: 'user7@example.com',
    day: rfc3339(now).slice(0, 10),
    number: 1,
    need: { micro: 40_000, tokens: 8_000 },
    most: { micro: 2_000_000, tokens: 1_000_000 },
    spent: [],
  }
  const startedMs = performance.now()
  for (let n = from; n < to; n++) {
    const run = { thread: `th_open_${n}`, run: `run_open_${n}`, key: `key${n % KEYS}`, queued: false }
    const admitted = await workspace.admit({ ...run, until: now + DAY_MS }, false, wish)
    if (!admitted.ok || admitted.value === null) throw new Error(JSON.stringify(admitted))
    if (!stay) await workspace.leave(run.thread, run.run)
  }
  return { eachMs: (performance.now() - startedMs) / (to - from) }
}

// oxlint-disable-next-line import/no-default-export -- workerd calls the default export
export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    // The casts are safe: the bench sends an Admit or a Fill, and this module exports the class.
    if (pathname === '/admin/admit') return Response.json(await admit(env, (await request.json()) as Admit))
    if (pathname !== '/admin/fill') return app.fetch(request, env, ctx)
    const fill = (await request.json()) as Fill
    await (objects(env).workspace('default') as unknown as Workspace).fill(fill)
    return Response.json({ at: rfc3339(fill.now) })
  },
} satisfies ExportedHandler<Env>
