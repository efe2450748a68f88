// Promise: docs/first-skill.md works as pasted, from an empty folder to a skill that was published, changed and rolled back.

import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { ADMIN_KEY, ROOT, startSatchel, temporary, type Satchel } from './satchel.ts'
import { bash, atomicBlocks } from './pasted.ts'

let satchel: Satchel
/** Files are written here. It looks like this project, and consists of links into it. */
const folder = temporary()
beforeAll(async () => {
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name))
  satchel = await startSatchel()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await satchel?.stop()
})

test('writes, checks, publishes, tries, changes and rolls back a first skill as the page says', async () => {
  const blocks = atomicBlocks(readFileSync(join(ROOT, 'docs/first-skill.md'), 'utf8'))
  const { status, out } = await bash(
    [`export SATCHEL_URL=${satchel.url} SATCHEL_KEY=${ADMIN_KEY}`, ...blocks].join('\n'),
    folder,
  )
  expect(status, out).toBe(0)
  expect(out, 'the text suggests it').toMatch(/^1\. release-notes /m)
  expect(out, 'nothing is wrong with it').not.toMatch(/: warning |[1-9] warning/)
  expect(out, 'both answers used it').toMatch(/skills: release-notes[\s\S]*skills: release-notes/)
  expect(out, 'the change was shown').toContain('+3. Write one line per change, at most twelve words.')
  expect(out).toMatch(/^release-notes is [0-9a-f]{12} again, in catalog version \d+\.$/m)
  const live = await satchel.client.json<{ readonly body: string }>('GET', '/v1/skills/release-notes')
  expect(live.ok && live.value.body.body).toContain('for whoever uses the product')
})
