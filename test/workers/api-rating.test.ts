// Guards ratings: stored with the run, shown in its receipt with their author, and changed or removed only by someone
// who may see the thread.

import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import { RATING_NOTE_MAX_CHARS } from '../../src/api/routes/limits.ts'
import {
  ADMIN_KEY,
  chat,
  finished,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'

let ann = ''
let ben = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  ann = (await makeKey('chat', 'ann')).key
  ben = (await makeKey('chat', 'ben')).key
})

beforeEach(() => modelReplies())

it('a rating is in the receipt, the same however often it is sent, and the newest counts', async () => {
  const { thread, run } = await finished(ann)
  await chat({ message: 'Two', thread_id: thread }, { key: ann })
  const path = `/v1/threads/${thread}/runs/${run}`
  const plain = await got<Receipt>(send(`GET ${path}`, { key: ann }))
  expect(plain.rating).toBeNull()
  const rate = (body: object, key = ann): Promise<Receipt> =>
    got<Receipt>(send(`POST ${path}/rating`, { key, body }))
  const up = await rate({ value: 'up' })
  expect(up).toEqual({
    ...plain,
    rating: { value: 'up', note: null, by: 'user:ann', at: expect.stringMatching(/Z$/) },
  })
  await scheduler.wait(5)
  expect(await rate({ value: 'up' })).toEqual(up)
  expect((await rate({ value: 'down', note: ' Too long. ' }, ADMIN_KEY)).rating).toMatchObject({
    value: 'down',
    note: 'Too long.',
    by: expect.stringMatching(/^key:/),
  })
  const { data } = await got<{ data: Receipt[] }>(send(`GET /v1/threads/${thread}/runs`, { key: ann }))
  expect(data.map(({ rating }) => rating?.value ?? null)).toEqual([null, 'down'])
  for (let time = 0; time < 2; time++)
    expect(await got(send(`DELETE ${path}/rating`, { key: ann }))).toEqual(plain)
})

it('a rating accepts its own fields only, and only from those who may see the thread', async () => {
  const { thread, run } = await finished(ann)
  const path = `POST /v1/threads/${thread}/runs/${run}/rating`
  const body = { value: 'up' }
  for (const wrong of [{}, { value: 'sideways' }, { ...body, note: '' }, { ...body, more: 1 }])
    await refused(send(path, { key: ann, body: wrong }), 422, 'invalid_request')
  const note = 'x'.repeat(RATING_NOTE_MAX_CHARS)
  await refused(send(path, { key: ann, body: { ...body, note: `${note}x` } }), 422, 'invalid_request')
  await refused(send(path, { key: ben, body }), 404, 'not_found')
  await refused(send(path.replace(run, `run_${'a'.repeat(24)}`), { key: ann, body }), 404, 'not_found')
  expect((await got<Receipt>(send(path, { key: ann, body: { ...body, note } }))).rating?.note).toBe(note)
})
