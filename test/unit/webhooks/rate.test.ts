// Guards the rate of a hook: a limited number of deliveries in a window, then none until the next, even if the clock
// is set back.
import { expect, it } from 'vitest'
import { DELIVERIES_PER_WINDOW_MAX, DELIVERY_RATE_WINDOW_MS } from '../../../src/webhooks/limits.ts'
import { DeliveryRate } from '../../../src/webhooks/rate.ts'

const NOW = 1_000_000

function used(): DeliveryRate {
  const rate = new DeliveryRate()
  for (let nth = 0; nth < DELIVERIES_PER_WINDOW_MAX; nth++) expect(rate.allows(NOW)).toBe(true)
  return rate
}

it('a window allows a fixed number of deliveries, and the next one as many', () => {
  const rate = used()
  expect(rate.allows(NOW + DELIVERY_RATE_WINDOW_MS - 1)).toBe(false)
  expect(rate.allows(NOW + DELIVERY_RATE_WINDOW_MS)).toBe(true)
})

it('a clock that is set back begins a window', () => {
  expect(used().allows(NOW - DELIVERY_RATE_WINDOW_MS)).toBe(true)
})
