// Guards "money has a limit": a model call whose object died is charged at least what the provider bills, whenever it
// died, and not far above it if rows show what its prompt cost or that it was cached.

import { describe, expect, it } from 'vitest'
import { costOf } from '../../src/agent/cost.ts'
import { promptTokens, type Tokens, type Usage } from '../../src/agent/message.ts'
import { OPEN_CALL_WRITE_MS } from '../../src/thread/executor/limits.ts'
import { knownModel } from '../../src/model/prices.ts'
import type { Reply } from '../fakes/messages-wire.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { BUDGET, HandClock } from './rig.ts'
import { wired } from './wire.ts'

const FACTS = knownModel('claude-sonnet-5-5')
/** Output tokens per second of the fastest measured model. */
const SPEED = 90
/** The provider forgets a prompt that was not requested for this long. */
const FORGOTTEN_MS = 300_000
/** Long enough that the provider caches it. */
const LONG = 'One. '.repeat(8_000)
const OK: Reply = { content: [{ type: 'text', text: 'All is well.' }] }

interface Moment {
  /** Time between the previous answer and the lost call. */
  readonly gapMs: number
  readonly livedMs: number
  /** Time from the death until somebody wakes the object. */
  readonly awayMs: number
  /** Number of events of the answer that arrived. */
  readonly events: number
  /** Whether a row contains what the API reported about the prompt. */
  readonly noted: boolean
}

function usd(tokens: Tokens): number {
  if (!FACTS) throw new Error('its price is known')
  return costOf(FACTS, tokens)
}

/** What the lost call was charged and billed, and what its prompt would cost without caching. */
async function lost({ gapMs, livedMs, awayMs, events, noted }: Moment): Promise<{
  readonly charged: number
  readonly billed: number
  readonly written: number
  readonly usage: Usage
}> {
  const clock = new HandClock()
  const settings = { silenceMaxMs: 60_000, bills: true }
  const { thread, recorder } = wired([OK, { ...OK, stallAfter: events }, OK], clock, settings)
  await thread.ended((await thread.start(LONG)).run_id)
  clock.ms += gapMs
  const { run_id } = await thread.start('Two.', { budget: { ...BUDGET, wall_s: 7_200 } })
  await eventually(
    () => recorder.silent === 1,
    (silent) => silent,
  )
  if (noted)
    await eventually(
      () => thread.sql((sql) => sql.exec('SELECT 1 FROM runs WHERE open_prompt IS NOT NULL').toArray()),
      (rows) => rows.length === 1,
    )
  let left = livedMs
  for (; left >= OPEN_CALL_WRITE_MS; left -= OPEN_CALL_WRITE_MS) {
    clock.ms += OPEN_CALL_WRITE_MS
    await thread.alarm()
  }
  clock.ms += left
  await thread.kill()
  clock.ms += awayMs
  await thread.alarm()
  const receipt = await thread.ended(run_id)
  expect(receipt).toMatchObject({ status: 'completed', model_calls: 2, charged: { estimated: true } })
  const [, second, third] = recorder.exchanges.map(({ prompt }) => prompt)
  if (!second || !third) throw new Error('each was billed')
  const anew = { input_tokens: 0, cache_read_input_tokens: 0 }
  const whole = promptTokens({ ...second, output_tokens: 0 })
  const all = { ...anew, cache_creation_input_tokens: whole, output_tokens: 0 }
  const output_tokens = Math.floor((livedMs / 1_000) * SPEED)
  return {
    charged: receipt.charged.usd - usd({ ...third, output_tokens: 7 }),
    billed: usd({ ...(gapMs >= FORGOTTEN_MS ? all : { ...second }), output_tokens }),
    written: usd(all),
    usage: receipt.usage,
  }
}

describe('a model call whose object died', () => {
  const moments: readonly Moment[] = [0, 100_000, 239_000, 241_000, 301_000].flatMap((gapMs, at) =>
    [at % 2 === 0 ? 0 : 700, at % 2 === 0 ? 14_000 : 4_900].map((livedMs, turn) => ({
      gapMs,
      livedMs,
      awayMs: [0, 2_000, 600_000][(at + turn) % 3] ?? 0,
      events: turn === 0 ? 0 : 4,
      noted: false,
    })),
  )

  it('is charged at least its bill, whenever it was made, died and was found', async () => {
    for (const moment of moments) {
      const { charged, billed } = await lost(moment)
      expect(charged, JSON.stringify(moment)).toBeGreaterThanOrEqual(billed)
    }
  })

  it('is charged cached tokens at the cache price, as long as the provider certainly keeps them', async () => {
    const moment = { livedMs: 0, awayMs: 1, events: 0, noted: false }
    const syncInBackground = await lost({ ...moment, gapMs: 239_000 })
    expect(syncInBackground.charged).toBeLessThan(0.2 * syncInBackground.written)
    const late = await lost({ ...moment, gapMs: 241_000 })
    expect(late.charged).toBeGreaterThan(0.9 * late.written)
  })
  it('is charged the input that the API reported, once that is in its row, and its receipt says so', async () => {
    const moment = { gapMs: 241_000, livedMs: 0, awayMs: 1, events: 4 }
    const { charged, billed, usage } = await lost({ ...moment, noted: true })
    // One token for the millisecond until it was found.
    expect(charged).toBeCloseTo(billed + 10 / 1e6, 9)
    expect(usage.cost_usd).toBeGreaterThan(1.5 * billed)
    const silent = await lost({ ...moment, noted: false })
    expect(silent.charged).toBeGreaterThan(5 * billed)
  })
})
