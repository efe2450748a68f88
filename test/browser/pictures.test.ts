// Guards pictures of the thread's own files, in the text of an answer and as thumbnails before and after they are
// sent. No other address in a text is loaded as a picture. A real browser, scripted answers.

import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { message, RECEIPT } from '../unit/page/frames.ts'
import { violations } from './accessible.ts'
import { info, isUnharmed, keeps, made, OUTPUTS, outputs } from './thread-files.ts'
import { PHONE, THREAD, lists, satchel, scripted, type Answer, type Answers } from './open.ts'

const isDrawn = async (picture: Locator): Promise<boolean> =>
  picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)

const ANSWER = `Here it is.

![The revenue](/mnt/user-data/outputs/drawing.svg)

![up](/mnt/user-data/outputs/../../x/chart.png) ![web](https://evil.example/a.png) ![key](/v1/keys.png)
![own](outputs/chart.png) ![page](/mnt/user-data/outputs/report.html) ![blob](blob:https://evil.example/1)`

function thread(): Answers {
  const turn = (id: string, role: 'user' | 'assistant', text: string) =>
    message(id, role, [{ type: 'text', text }])
  const upload: Answer = async () => ({ body: OUTPUTS['chart.png']?.body ?? '' })
  return {
    ...outputs(),
    [`GET ${THREAD}/messages`]: lists(turn('m_1', 'user', 'Draw it.'), turn('m_2', 'assistant', ANSWER)),
    [`GET ${THREAD}/runs`]: lists(RECEIPT),
    [`GET ${THREAD}/files`]: lists(
      info('outputs/drawing.svg'),
      info('uploads/photo.png'),
      info('uploads/a.zip'),
    ),
    [`GET ${THREAD}/files/uploads/photo.png`]: upload,
  }
}

it.each([['a desktop', {}] as const, ['a phone', PHONE] as const])(
  'a picture of the thread is shown in its answer and opens in the panel, and no other picture is requested, on %s',
  async (_, options) => {
    const requests: string[] = []
    const { page } = await scripted('&t=th_1', thread(), options, async (fresh) => {
      fresh.on('request', (request) => void requests.push(request.url().replace(satchel.url, '')))
    })
    const picture = page.locator('.prose').getByRole('img', { name: 'The revenue' })
    await until('the picture is drawn', async () => (await picture.count()) === 1 && isDrawn(picture))
    await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(60)
    await expect.poll(async () => page.locator('.prose img').count()).toBe(1)
    expect(requests.filter((path) => /png|html|evil|blob:https/.test(path))).toEqual([
      `${THREAD}/files/uploads/photo.png`,
    ])
    await expect
      .poll(async () => page.getByRole('link', { name: 'web' }).getAttribute('href'))
      .toBe('https://evil.example/a.png')
    const tile = page
      .getByRole('list', { name: 'Files of the message' })
      .getByRole('button', { name: /photo\.png/ })
    await until('the thumbnail is drawn', async () => isDrawn(tile.locator('img')))
    expect(await violations(page)).toEqual([])
    await picture.click()
    await page.getByRole('heading', { name: 'drawing.svg' }).waitFor()
    expect(await isUnharmed(page)).toBe(true)
  },
)

it('pictures have thumbnails in the message box, from the local files, and in the list of files', async () => {
  const { page, times } = await scripted('&t=th_1', {
    ...thread(),
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: keeps('photo.png', 'fake.png'),
  })
  const body = OUTPUTS['chart.png']?.body ?? Buffer.alloc(0)
  await page.locator('input[type=file]').setInputFiles([
    { name: 'photo.png', mimeType: 'image/png', buffer: body },
    { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<script>window.pwned=1</script>') },
  ])
  const chips = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await until('the thumbnail is drawn', async () => isDrawn(chips.first().locator('img')))
  await chips.nth(1).locator('.thumbnail .icon').waitFor()
  expect(times.get(`GET ${THREAD}/files/uploads/fake.png`)).toBeUndefined()
  await page.getByRole('button', { name: /^Files \d+$/ }).click()
  const list = page.getByRole('complementary', { name: 'Files' })
  await until('the list has a thumbnail', async () =>
    isDrawn(list.getByRole('listitem').first().locator('img')),
  )
  expect(await isUnharmed(page)).toBe(true)
})
