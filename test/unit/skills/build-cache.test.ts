// Guards the build cache of skills: a build with a cache reads only changed skills and gives exactly the result of a
// fresh build.

import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBuild } from '../../../scripts/build/build.ts'
import { openCache } from '../../../scripts/build/cache.ts'
import { writeCollection } from '../../../scripts/lab/bench/skill-collection.ts'
import { folderWith, skillMd, TEA } from './skill-text.ts'

const FILES = {
  'tea/SKILL.md': TEA,
  'tea/references/water.md': 'Hot.',
  'coffee/SKILL.md': skillMd('name: Coffee\ndescription: Brews coffee.'),
  'bad/SKILL.md': '# none',
}
/** Long after the files were written, when their times are trusted. */
const LATER = (): number => Date.now() + 60_000

/** The result of a build, without the functions in it. */
async function reported(
  root: string,
  cache?: Awaited<ReturnType<typeof openCache>>,
  strict = false,
): Promise<unknown> {
  const { build, skills, findings } = await makeBuild([root], strict, cache)
  const blobs = await Promise.all(
    Array.from(build.blobs, async ([sha256, blob]) => [sha256, await blob.read()]),
  )
  return { build: { ...build, blobs }, skills, findings }
}

test('the second build equals a fresh one and reads no skill again', async () => {
  const root = await folderWith(FILES)
  const out = await folderWith({})
  const fresh = await reported(root)
  const first = await openCache(join(out, 'cache.json'), LATER)
  expect(await reported(root, first)).toEqual(fresh)
  await first.save()

  const again = await openCache(join(out, 'cache.json'), LATER)
  expect(await reported(root, again)).toEqual(fresh)
  let reads = 0
  const spied = { ...again, put: (...args: Parameters<typeof again.put>) => (reads++, again.put(...args)) }
  await makeBuild([root], false, spied)
  expect(reads).toBe(0)
  await writeFile(join(root, 'tea/references/water.md'), 'Warm.')
  await makeBuild([root], false, spied)
  expect(reads).toBe(1)
})

test('a changed, added or removed file is noticed', async () => {
  const root = await folderWith(FILES)
  const cache = await openCache(null, LATER)
  await reported(root, cache)
  await writeFile(join(root, 'tea/references/water.md'), 'Cold')
  expect(await reported(root, cache)).toEqual(await reported(root))
  await writeFile(join(root, 'tea/more.md'), 'x')
  expect(await reported(root, cache)).toEqual(await reported(root))
  await rm(join(root, 'tea/references'), { recursive: true })
  expect(await reported(root, cache)).toEqual(await reported(root))
  await utimes(join(root, 'tea/SKILL.md'), 1, 1)
  expect(await reported(root, cache)).toEqual(await reported(root))
})

test('a link that leads to another file of the same size and times is noticed', async () => {
  const root = await folderWith({ ...FILES, 'tea/one.txt': 'one', 'tea/two.txt': 'two' })
  const link = join(root, 'tea/link.txt')
  await symlink('one.txt', link)
  for (const name of ['one.txt', 'two.txt']) await utimes(join(root, 'tea', name), 1, 1)
  const cache = await openCache(null, LATER)
  await reported(root, cache)
  await rm(link)
  await symlink('two.txt', link)
  expect(await reported(root, cache)).toEqual(await reported(root))
})

test('switches and other skills of the name are read again, and strict judges again', async () => {
  const root = await folderWith(FILES)
  const cache = await openCache(null, LATER)
  await reported(root, cache)
  await writeFile(join(root, 'extensions_config.json'), '{"skills": {"tea": {"enabled": false}}}')
  await mkdir(join(root, 'again'))
  await writeFile(join(root, 'again/SKILL.md'), TEA)
  expect(await reported(root, cache)).toEqual(await reported(root))
  expect(await reported(root, cache, true)).toEqual(await reported(root, undefined, true))
})

test('a file written a moment ago is not trusted to stay', async () => {
  const root = await folderWith(FILES)
  const cache = await openCache(null, () => Date.now())
  let kept = 0
  const spied = {
    ...cache,
    get(...args: Parameters<typeof cache.get>) {
      const known = cache.get(...args)
      if (known) kept++
      return known
    },
  }
  await makeBuild([root], false, spied)
  await makeBuild([root], false, spied)
  expect(kept).toBe(0)
})

test.each(['', '{', '[]', '{"code": "x", "rows": []}'])(
  'a cache file that contains %j is ignored',
  async (text) => {
    const root = await folderWith(FILES)
    const out = await folderWith({ 'cache.json': text })
    const cache = await openCache(join(out, 'cache.json'), LATER)
    expect(await reported(root, cache)).toEqual(await reported(root))
    await cache.save()
    expect(JSON.parse(await readFile(join(out, 'cache.json'), 'utf8'))).toMatchObject({ rows: [{}, {}, {}] })
  },
)

test('a file that changes between building and reading its bytes is refused, not stored under a wrong digest', async () => {
  const root = await folderWith(FILES)
  const { build } = await makeBuild([root], false)
  await writeFile(join(root, 'tea/references/water.md'), 'Ice.')
  const reads = Array.from(build.blobs.values(), async (blob) => blob.read())
  await expect(Promise.all(reads)).rejects.toThrow('Build them again')
})

test('a generated collection is the same for the same seed, loads whole and is as uneven as real ones', async () => {
  const [one, other] = [await folderWith({}), await folderWith({})]
  const size = await writeCollection(one, 40, 7)
  expect(await writeCollection(other, 40, 7)).toEqual(size)
  const { build, skills } = await makeBuild([one], false)
  expect((await makeBuild([other], false)).build.digest).toBe(build.digest)
  expect(build.index.skills).toHaveLength(40)
  expect(skills.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error')).toEqual(
    [],
  )
  expect(build.index.skills.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(size.bytes)
  expect(size.resources).toBeGreaterThan(40)
})
