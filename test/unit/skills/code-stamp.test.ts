// Promise: the result of a build is reused only while everything that determines it is unchanged: code, limits and
// versions.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { CACHED_CODE } from '../../../scripts/build/cache.ts'
import { codeStamp } from '../../../scripts/build/code-stamp.ts'
import { folderWith } from './skill-text.ts'

const ENTRY = 'scripts/index-skill.ts'
const FILES = {
  [ENTRY]: `import { parse } from 'pkg/sub'\nimport {\n  a,\n} from '../src/a.ts'\nimport type { T } from './t.ts'\n`,
  'src/a.ts': `export { b } from './b.ts'\nconst late = async () => import('./late.ts')\n`,
  'src/b.ts': `import './side.ts'\nimport { readFile } from 'node:fs'\n`,
  'src/late.ts': `export const MAX = 1\n`,
  'src/side.ts': `import { c } from '@own/pkg'\n`,
  'scripts/t.ts': `export type T = 1\n`,
  'scripts/other.ts': `export const o = 1\n`,
  'node_modules/pkg/package.json': '{"version": "1.0.0", "dependencies": {"inner": "^1"}}',
  'node_modules/pkg/node_modules/inner/package.json': '{"version": "1.0.0"}',
  'node_modules/inner/package.json': '{"version": "9.0.0"}',
  'node_modules/@own/pkg/package.json': '{"version": "1.0.0"}',
}

let root: string
beforeEach(async () => {
  root = await folderWith(FILES)
})

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

test.each([ENTRY, 'src/a.ts', 'src/b.ts', 'src/late.ts', 'src/side.ts'])(
  '%s changes the stamp',
  async (path) => {
    const before = codeStamp(root, [ENTRY])
    await write(path, `${await readFile(join(root, path), 'utf8')}// more\n`)
    expect(codeStamp(root, [ENTRY])).not.toBe(before)
  },
)

test.each(['node_modules/pkg', 'node_modules/@own/pkg', 'node_modules/pkg/node_modules/inner'])(
  'the version of %s changes the stamp, and so does its absence',
  async (folder) => {
    const stamps = [codeStamp(root, [ENTRY])]
    for (const text of ['{"version": "1.0.1"}', 'none']) {
      await write(`${folder}/package.json`, text)
      stamps.push(codeStamp(root, [ENTRY]))
    }
    expect(new Set(stamps).size).toBe(3)
  },
)

test('unreachable code and types do not change the stamp', async () => {
  const before = codeStamp(root, [ENTRY])
  for (const path of ['scripts/t.ts', 'scripts/other.ts', 'node_modules/inner/package.json'])
    await write(path, '{"version": "0.0.0"}')
  expect(codeStamp(root, [ENTRY])).toBe(before)
  expect(codeStamp(root, [ENTRY, 'scripts/other.ts'])).not.toBe(before)
})

test('the limits, the YAML parser, and the shape of an entry change the stamp', async () => {
  const home = fileURLToPath(new URL('../../..', import.meta.url))
  const copied = [
    'src/limits/skills.ts',
    'scripts/skill-folders/limits.ts',
    'src/skills/skill.ts',
    'src/skills/format/parse.ts',
    'scripts/build/cache.ts',
    'node_modules/yaml/package.json',
  ]
  // A copy of the sources only, in which one file after the other is changed.
  for (const folder of ['src', 'scripts', 'node_modules/yaml', 'node_modules/zod'])
    await cp(join(home, folder), join(root, folder), { recursive: true })
  const seen = new Set([codeStamp(root, CACHED_CODE)])
  for (const path of copied) {
    const text = await readFile(join(root, path), 'utf8')
    await write(
      path,
      path.endsWith('.ts') ? `${text}// more\n` : text.replace('"version": "', '"version": "9'),
    )
    seen.add(codeStamp(root, CACHED_CODE))
  }
  expect(seen.size).toBe(copied.length + 1)
})
