// Guards that code that reads the stores a thousand times yields to others: local stores answer without a wait.

import { expect, it } from 'vitest'
import { startPace } from '../../../../src/lib/steps.ts'
import { pacedStores } from '../../../../src/skills/store/paced.ts'
import { memoryStores } from './memory-stores.ts'

it('pauses repeatedly, and reads nothing during a pause', async () => {
  let [requested, rests, resting] = [0, 0, 0]
  const pace = startPace(async () => {
    rests++
    resting++
    await new Promise((resolve) => setImmediate(resolve))
    resting--
  })
  const { bodies, blobs } = memoryStores().stores
  const counting = {
    ...blobs,
    get: (key: string) => {
      expect(resting).toBe(0)
      requested++
      return blobs.get(key)
    },
  }
  const stores = pacedStores({ bodies, blobs: counting }, pace)
  for (let at = 0; at < 500; at++) await stores.blobs.get(`key ${at}`)
  expect(requested).toBe(500)
  expect(rests).toBeGreaterThanOrEqual(25)
})

it('returns the same as the stores', async () => {
  const stores = pacedStores(
    memoryStores().stores,
    startPace(async () => undefined),
  )
  const bytes = new Uint8Array([1, 2, 3])
  await stores.bodies.put('body', bytes)
  expect(await stores.bodies.get('body')).toEqual(bytes)
  expect(await stores.blobs.get('nothing')).toBeNull()
})
