// Guards "money has a limit": a run exceeds its budget by at most the one call in progress, and no call is reserved
// that the budget cannot pay.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelFacts } from '../../../src/agent/model.ts'
import { MODEL_MIN_TOKENS, MODEL_OUTPUT_MAX_TOKENS } from '../../../src/limits/model.ts'
import { RUN_RECOVERIES_DEFAULT } from '../../../src/limits/runs.ts'
import { RUN_INTERRUPTED_WAITS_MAX } from '../../../src/thread/executor/limits.ts'
import type { RunBudget } from '../../../src/thread/api.ts'
import { reachedLimit, planReservation, type Spent } from '../../../src/thread/executor/budget.ts'

const NOTHING: Spent = {
  steps: 0,
  toolCalls: 0,
  plannedCalls: 0,
  recoveries: 0,
  interruptedWaits: 0,
  usedTokens: 0,
  usedUsd: 0,
  openTokens: 0,
  openUsd: 0,
  ranMs: 0,
}
const BUDGET: RunBudget = { tokens: 100_000, usd: 1, steps: 10, tool_calls: 5, wall_s: 60, recoveries: 10 }
const NOTHING_PAID = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
const FREE: ModelFacts = {
  id: 'free',
  window: 200_000,
  price: NOTHING_PAID,
  priced: true,
  capabilities: { images: true },
  longPrompt: null,
  maxTokensPerSecond: 400,
  searchPrice: 0.01,
}
const PRICED: ModelFacts = { ...FREE, price: { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 } }

describe('a limit', () => {
  const table: Record<string, [spent: Partial<Spent>, stop: string | null]> = {
    'is not reached by a run that did nothing': [{}, null],
    'on steps is reached by the last one': [{ steps: 10 }, 'step_limit'],
    'on steps leaves room for the last one': [{ steps: 9 }, null],
    'on time is reached when it is over': [{ ranMs: 60_000 }, 'budget'],
    'on time tolerates a clock that goes backwards': [{ ranMs: -5 }, null],
    'on tokens counts what is reserved': [{ usedTokens: 60_000, openTokens: 40_000 }, 'budget'],
    'on dollars counts what is reserved': [{ usedUsd: 0.6, openUsd: 0.4 }, 'budget'],
    'on calls allows an answer after all of them': [{ toolCalls: 5 }, null],
    'on calls is reached by further calls': [{ toolCalls: 5, plannedCalls: 1 }, 'budget'],
    'on calls allows a message whose calls fit in part': [{ toolCalls: 4, plannedCalls: 3 }, null],
    'on recoveries allows as many as it says': [{ recoveries: RUN_RECOVERIES_DEFAULT }, null],
    'on interrupted waits allows as many as it says': [{ interruptedWaits: RUN_INTERRUPTED_WAITS_MAX }, null],
    'on interrupted waits is reached by one more': [
      { interruptedWaits: RUN_INTERRUPTED_WAITS_MAX + 1 },
      'recovery_limit',
    ],
    'on recoveries is reached by one more': [
      { recoveries: RUN_RECOVERIES_DEFAULT + 1, steps: 10 },
      'recovery_limit',
    ],
  }
  for (const [what, [spent, stop]] of Object.entries(table))
    it(what, () => {
      expect(reachedLimit({ ...NOTHING, ...spent }, BUDGET)?.stop ?? null).toBe(stop)
    })
})

const money = fc.double({ min: 0, max: 3, noNaN: true })
const count = fc.nat(150_000)
const price = fc.record({ input: money, output: money, cacheWrite: money, cacheRead: money })
const facts = fc.option(price).map((known): ModelFacts => ({ ...FREE, price: known ?? NOTHING_PAID }))

describe('a reservation', () => {
  it('fits the rest of the budget, in tokens and in dollars, and is worth making', () => {
    fc.assert(
      fc.property(count, count, money, money, facts, (tokens, input, usd, limit, known) => {
        const spent = { ...NOTHING, usedTokens: tokens, usedUsd: usd }
        const budget = { ...BUDGET, usd: limit + 0.001 }
        fc.pre(reachedLimit(spent, budget) === null)
        const reserved = planReservation(spent, budget, known, input)
        if ('stop' in reserved) return
        expect(reserved.maxOutputTokens).toBeGreaterThanOrEqual(MODEL_MIN_TOKENS)
        expect(reserved.maxOutputTokens).toBeLessThanOrEqual(MODEL_OUTPUT_MAX_TOKENS)
        expect(tokens + reserved.tokens).toBeLessThanOrEqual(budget.tokens)
        expect(usd + reserved.usd).toBeLessThanOrEqual(budget.usd + 1e-9)
      }),
    )
  })

  it('is refused with how to fix it', () => {
    expect(planReservation({ ...NOTHING, usedTokens: 99_500 }, BUDGET, FREE, 10)).toMatchObject({
      stop: 'budget',
      detail: expect.stringContaining('Raise budget.tokens'),
    })
    expect(planReservation({ ...NOTHING, usedUsd: 0.99 }, BUDGET, PRICED, 10)).toMatchObject({
      stop: 'budget',
    })
  })

  it('asks for less output if the budget is short, and costs nothing if the price is unknown', () => {
    expect(planReservation(NOTHING, BUDGET, FREE, 1_000)).toEqual({
      maxOutputTokens: MODEL_OUTPUT_MAX_TOKENS,
      tokens: 17_000,
      usd: 0,
      inputTokens: 1_000,
    })
    expect(planReservation({ ...NOTHING, usedTokens: 90_000 }, BUDGET, FREE, 5_000)).toMatchObject({
      maxOutputTokens: 5_000,
    })
    const short = planReservation({ ...NOTHING, usedUsd: 0.95 }, BUDGET, PRICED, 1_000)
    expect(short).toMatchObject({ maxOutputTokens: 3_083 })
  })

  it('keeps a run of any calls within its limits, whatever they really cost', () => {
    const call = fc.record({
      input: fc.nat(20_000),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      dies: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), facts, (calls, known) => {
        let spent = NOTHING
        for (const { input, share, dies } of calls) {
          if (reachedLimit(spent, BUDGET)) break
          const reserved = planReservation(spent, BUDGET, known, input)
          if ('stop' in reserved) break
          // A call that dies is charged its whole reservation; one that answers is charged what it used, at most the
          // reservation.
          const part = dies ? 1 : share
          spent = {
            ...spent,
            usedTokens: spent.usedTokens + reserved.tokens * part,
            usedUsd: spent.usedUsd + reserved.usd * part,
          }
        }
        expect(spent.usedTokens).toBeLessThanOrEqual(BUDGET.tokens)
        expect(spent.usedUsd).toBeLessThanOrEqual(BUDGET.usd + 1e-9)
      }),
    )
  })
})

describe('searches by the model itself', () => {
  it('are reserved at their maximum, and reduce the rest for the answer', () => {
    const plain = planReservation(NOTHING, BUDGET, PRICED, 1_000)
    const searching = planReservation(NOTHING, BUDGET, PRICED, 1_000, 5)
    expect('usd' in plain && 'usd' in searching && searching.usd - plain.usd).toBeCloseTo(0.05, 10)
    const usd = 0.05 + (MODEL_MIN_TOKENS * 15 + 3_750) / 1_000_000
    const [enough, short] = [usd + 0.0001, usd - 0.0001].map((limit) =>
      planReservation(NOTHING, { ...BUDGET, usd: limit }, PRICED, 1_000, 5),
    )
    expect(enough).toMatchObject({ maxOutputTokens: expect.any(Number) })
    expect(short).toMatchObject({ stop: 'budget' })
  })
})
