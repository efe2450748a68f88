// Guards messages that steer the current answer: they bring their files, and nothing of them is lost.

import { expect, it } from 'vitest'

import { composing } from './composing.ts'
import { frame, RUN } from './frames.ts'
import { refusal, settled } from './ports.ts'
import { line } from './talk.ts'

it('a text with files steers the answer, even one that begins with a slash; a skill call waits for its turn', async () => {
  const run = line()
  const sent: unknown[] = []
  const page = await composing({
    'POST /v1/chat': (_, init) => {
      const text = typeof init.body === 'string' ? init.body : ''
      const body: unknown = JSON.parse(text)
      sent.push(body)
      if (sent.length === 1) return run.response
      if (text.includes('/report')) return refusal(422, 'invalid_request')
      return Response.json({ thread_id: 'th_1', run_id: RUN }, { status: 202 })
    },
  })
  page.composer.write('Go.')
  void page.composer.send()
  run.push([frame(1, { type: 'run.accepted', status: 'running' })])
  await settled()
  page.attachments.restore([{ path: 'uploads/a.csv', bytes: 3, href: '/a' }])
  page.composer.write('/etc/hosts is wrong')
  await page.composer.steer()
  expect(sent[1]).toMatchObject({ message: '/etc/hosts is wrong', on_busy: 'steer', thread_id: 'th_1' })
  expect([page.composer.text.value, page.attachments.chips.value]).toEqual(['', []])
  page.composer.write('/report now')
  await page.composer.steer()
  expect(page.composer.queuedMessage.value).toMatchObject({ text: '/report now' })
  expect(page.composer.trouble.value).toBeNull()
})
