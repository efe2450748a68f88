// Guards attachments under concurrent actions: several files create only one thread, a removed file is not kept, a
// message waits for its files, and no file ends up in another conversation.

import { expect, it } from 'vitest'

import { FILE_CEILING_BYTES } from '../../../src/limits/settings.ts'
import type { Upload } from '../../../src/page/lib/platform.ts'
import { ABORTABLE_MIN_BYTES } from '../../../src/page/state/files/limits.ts'
import { describeChip } from '../../../src/page/state/files/chip.ts'
import { composing, gate } from './composing.ts'
import { list, refusal, settled } from './ports.ts'

const file = (name: string, text = 'x'): File => new File([text], name)
const info = (name: string) => ({
  path: `uploads/${name}`,
  bytes: 7,
  href: `/v1/threads/th_1/files/uploads/${name}`,
})
const kept = (name: string): Response => Response.json({ data: [info(name)] }, { status: 201 })
const made = (): Response => Response.json({ thread_id: 'th_1' }, { status: 201 })
const FILES = 'POST /v1/threads/th_1/files'

it('several files of a new conversation create one thread, and are sent one after another', async () => {
  const first = gate()
  let going = 0
  let most = 0
  const upload: Upload = async (_, init) => {
    most = Math.max(most, ++going)
    await first.opened
    going--
    const sent = init?.body instanceof FormData ? init.body.get('files[]') : null
    return kept(sent instanceof File ? sent.name : 'none')
  }
  const page = await composing({ 'POST /v1/threads': made }, upload)
  page.attachments.add([file('a.csv'), file('b.csv'), file('c.csv')])
  await settled()
  expect(page.attachments.chips.value.map(({ state }) => state)).toEqual(['uploading', 'waiting', 'waiting'])
  first.open()
  expect(await page.attachments.ready()).toBe(true)
  expect(page.calls.filter((call) => call === 'POST /v1/threads')).toHaveLength(1)
  expect(most).toBe(1)
  expect(page.attachments.chips.value.map(({ uploaded }) => uploaded?.path)).toEqual([
    'uploads/a.csv',
    'uploads/b.csv',
    'uploads/c.csv',
  ])
})

it('describes the progress of each file', async () => {
  const steps = [gate(), gate()]
  const upload: Upload = async (_, _init, onPart) => {
    onPart(0.421)
    await steps[0]?.opened
    onPart(1)
    await steps[1]?.opened
    return kept('a.csv')
  }
  const page = await composing({ 'POST /v1/threads': made }, upload)
  const descriptions = (): string => page.attachments.chips.value.map(describeChip).join()
  page.attachments.add([file('a.csv', 'abc')])
  await settled()
  expect(descriptions()).toBe('3 bytes · Uploading, 42%')
  steps[0]?.open()
  await settled()
  expect(descriptions()).toBe('3 bytes · is being stored')
  steps[1]?.open()
  await settled()
  expect(descriptions()).toBe('7 bytes')
})

it('never keeps a file that is removed before or during its upload', async () => {
  const went: string[] = []
  const upload: Upload = async (_, init, onPart, signal) => {
    const sent = init?.body instanceof FormData ? init.body.get('files[]') : null
    went.push(sent instanceof File ? sent.name : '')
    onPart(0.1)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new TypeError('aborted')))
    })
  }
  const page = await composing({ 'POST /v1/threads': made }, upload)
  page.attachments.add([new File([new Uint8Array(ABORTABLE_MIN_BYTES)], 'a.csv'), file('b.csv')])
  await settled()
  const [a, b] = page.attachments.chips.value
  if (a && b) await Promise.all([page.attachments.removeChip(b), page.attachments.removeChip(a)])
  await settled()
  expect(went).toEqual(['a.csv'])
  // It was left, not lost.
  expect(page.lost).toEqual([])
  expect(page.attachments.chips.value).toEqual([])
  expect(await page.attachments.ready()).toBe(true)
})

it.each(['removed', 'left for another conversation'])(
  'deletes a file that was %s while its upload was unconfirmed',
  async (how) => {
    const answer = gate()
    const upload: Upload = async (_, _init, onPart) => {
      onPart(1)
      await answer.opened
      return kept('a.csv')
    }
    const page = await composing({ 'POST /v1/threads': made }, upload)
    page.attachments.add([file('a.csv')])
    await settled()
    const [chip] = page.attachments.chips.value
    if (how === 'removed' && chip) await page.attachments.removeChip(chip)
    else await page.go('th_2')
    expect(page.attachments.chips.value).toEqual([])
    answer.open()
    await settled()
    expect(page.calls).toContain('DELETE /v1/threads/th_1/files/uploads/a.csv')
    expect(page.attachments.chips.value).toEqual([])
  },
)

it('a failed file holds back the message, is retried into the same thread, and releases it', async () => {
  let tries = 0
  const upload: Upload = async () => (++tries === 1 ? refusal(413, 'storage_full') : kept('a.csv'))
  const page = await composing({ 'POST /v1/threads': made }, upload)
  page.attachments.add([file('a.csv')])
  await page.composer.send()
  expect(page.composer.trouble.value?.title).toContain('Say what')
  page.composer.write('Summarize it')
  expect(page.composer.trouble.value).toBe(null)
  await page.composer.send()
  expect(page.composer.text.value).toBe('Summarize it')
  expect(page.composer.trouble.value?.title).toBe('A file could not be uploaded')
  const [chip] = page.attachments.chips.value
  expect(chip).toMatchObject({
    state: 'failed',
    error: 'Not uploaded. It is storage_full.',
    mayRetry: true,
  })
  if (chip) page.attachments.retry(chip)
  expect(await page.attachments.ready()).toBe(true)
  expect(page.composer.trouble.value).toBe(null)
  expect(page.calls.filter((call) => call === 'POST /v1/threads')).toHaveLength(1)
})

it('a file that cannot be removed stays with the reason; one that is already deleted disappears', async () => {
  const answers = [refusal(500, 'internal'), refusal(404, 'not_found')]
  const page = await composing(
    {
      'POST /v1/threads': made,
      'DELETE /v1/threads/th_1/files/uploads/a.csv': () => answers.shift() ?? list([]),
    },
    async () => kept('a.csv'),
  )
  page.attachments.add([file('a.csv')])
  await settled()
  for (const left of [1, 0]) {
    const [chip] = page.attachments.chips.value
    if (chip) await page.attachments.removeChip(chip)
    expect(page.attachments.chips.value).toHaveLength(left)
    if (left) expect(page.attachments.chips.value[0]?.error).toContain('could not be removed')
  }
})

it('refuses a file that is too large and a folder with the reason, and sends nothing of them', async () => {
  const page = await composing({ 'POST /v1/threads': made })
  const huge = file('huge.bin')
  Object.defineProperty(huge, 'size', { value: FILE_CEILING_BYTES + 1 })
  page.attachments.add([huge])
  page.attachments.refuseFolder('src')
  await settled()
  expect(page.attachments.chips.value.map(({ error, mayRetry }) => [error, mayRetry])).toEqual([
    ['is too large; the limit is 95.4 MB', false],
    ['is a folder; attach the files in it instead', false],
  ])
  expect(page.calls).not.toContain('POST /v1/threads')
  expect(page.calls).not.toContain(FILES)
})

it("creates a new thread for the next file when the draft's thread no longer exists", async () => {
  const page = await composing(
    {
      'POST /v1/threads': () => Response.json({ thread_id: 'th_9' }, { status: 201 }),
      'GET /v1/threads/th_1/files': () => refusal(404, 'not_found'),
    },
    async () => kept('a.csv'),
  )
  page.attachments.reset('th_1')
  await settled()
  expect(page.attachments.createdThread.value).toBe(null)
  page.attachments.add([file('a.csv')])
  await settled()
  expect(page.attachments.createdThread.value).toBe('th_9')
})
