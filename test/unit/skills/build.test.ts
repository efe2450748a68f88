// Guards that a build depends on bytes alone: the same skills give the same digest, and an invalid skill is reported
// and hides no other.

import { readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBuild } from '../../../scripts/build/build.ts'
import { writeDigestModule } from '../../../scripts/build/digest-module.ts'
import { buildSkills } from '../../../scripts/build/build-skills.ts'
import { sha256Hex } from '../../../src/lib/bytes.ts'
import { parseManifest } from '../../../src/skills/package/digest.ts'
import { indexOfObjects } from '../../../src/skills/store/index-objects.ts'
import { folderWith, skillMd, TEA } from './skill-text.ts'

const COFFEE = skillMd('name: coffee\ndescription: Brews coffee.\ntags: hot, black', '# Coffee')
const FILES = {
  'public/tea/SKILL.md': TEA,
  'public/tea/references/water.md': 'Hot.',
  'public/tea/assets/leaf.bin': Uint8Array.of(0, 255, 1),
  'public/coffee/SKILL.md': COFFEE,
}

async function report(
  dirs: readonly string[],
  strict = false,
  table = false,
): Promise<{ lines: string[]; failed: boolean }> {
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const { failed } = await buildSkills({ dirs, cacheFile: null, strict, table, log })
  return { lines, failed }
}

describe('a build', () => {
  test('has an index of the skills, their bodies, and each file under its SHA-256', async () => {
    const { build } = await makeBuild([await folderWith(FILES)], false)
    expect(build.digest).toBe(await sha256Hex(build.indexText))
    expect(indexOfObjects([build.indexText])).toEqual(build.index)
    const [coffee, tea] = build.index.skills
    expect(coffee).toMatchObject({ name: 'coffee', tags: ['hot', 'black'], files: 1, enabled: true })
    expect(tea).toMatchObject({
      name: 'tea',
      category: 'public',
      files: 3,
      updated_at: null,
      diagnostics: [],
    })
    expect(tea?.bytes).toBe(TEA.length + 4 + 3)
    for (const [sha256, blob] of build.blobs) {
      const bytes = await blob.read()
      expect([await sha256Hex(bytes), bytes.length]).toEqual([sha256, blob.size])
    }
    const manifest = new TextDecoder().decode(await build.blobs.get(tea?.digest ?? '')?.read())
    expect(parseManifest(manifest)?.map(({ path }) => path)).toEqual([
      'SKILL.md',
      'assets/leaf.bin',
      'references/water.md',
    ])
    expect(build.bodies).toEqual(new Set([coffee?.body, tea?.body]))
  })

  test('does not depend on place, order of writing or time', async () => {
    const here = await folderWith(FILES)
    const there = await folderWith(Object.fromEntries(Object.entries(FILES).toReversed()))
    await utimes(join(there, 'public/tea/SKILL.md'), 1, 1)
    const [one, other] = [await makeBuild([here], false), await makeBuild([`${there}/.`], true)]
    expect(other.build.digest).toBe(one.build.digest)
    await writeFile(join(there, 'public/tea/references/water.md'), 'hot.')
    expect((await makeBuild([there], false)).build.digest).not.toBe(one.build.digest)
  })

  test('omits links, dot entries and caches, and reports links', async () => {
    const root = await folderWith({
      ...FILES,
      'public/tea/.git/config': 'x',
      'public/tea/.env': 'x',
      'public/tea/node_modules/a/b.js': 'x',
      'public/tea/__pycache__/a.pyc': 'x',
      '.hidden/SKILL.md': TEA,
      'node_modules/x/SKILL.md': TEA,
    })
    const plain = await makeBuild([await folderWith(FILES)], false)
    expect((await makeBuild([root], false)).build.digest).toBe(plain.build.digest)
    await symlink('/etc/passwd', join(root, 'public/tea/link.md'))
    await symlink(join(root, 'public/tea'), join(root, 'public/tea-again'))
    const linked = await makeBuild([root], false)
    expect(linked.build.index.skills.map(({ name, files }) => [name, files])).toEqual([
      ['coffee', 1],
      ['tea', 3],
    ])
    expect(linked.skills.flatMap(({ findings }) => findings.map(({ rule, file }) => [rule, file]))).toEqual([
      ['not-a-file', 'link.md'],
    ])
  })

  test('treats a SKILL.md inside a skill as a plain file of it', async () => {
    const root = await folderWith({ ...FILES, 'public/tea/examples/other/SKILL.md': COFFEE })
    const { build } = await makeBuild([root], false)
    expect(build.index.skills.map(({ name, files }) => [name, files])).toEqual([
      ['coffee', 1],
      ['tea', 4],
    ])
  })

  test('omits an invalid file with a warning, and keeps the skill', async () => {
    const files = { 'tea/SKILL.md': TEA, 'tea/large.bin': new Uint8Array(8_388_609), 'tea/a:b.md': 'x' }
    const { build, skills } = await makeBuild([await folderWith(files)], false)
    expect(build.index.skills[0]?.files).toBe(1)
    expect(skills[0]?.findings.map(({ rule }) => rule)).toEqual(['path-refused', 'file-too-large'])
  })

  test('counts a folder that is itself a skill as one', async () => {
    const root = await folderWith(FILES)
    expect(
      (await makeBuild([join(root, 'public/tea')], false)).build.index.skills.map(({ name }) => name),
    ).toEqual(['tea'])
  })
})

describe('names and switches', () => {
  test('of two skills with one name the earlier folder wins, then the smaller path, and both are named', async () => {
    const own = await folderWith({ 'b/SKILL.md': TEA, 'c/SKILL.md': TEA.replace('thirsty', 'dry') })
    const more = await folderWith({ 'a/SKILL.md': TEA.replace('thirsty', 'parched') })
    const { build, skills } = await makeBuild([own, more], false)
    expect(build.index.skills).toHaveLength(1)
    expect(build.index.skills[0]?.description).toContain('thirsty')
    expect(skills.map(({ isHidden: hidden, entry }) => [entry !== null, hidden])).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ])
    const taken = skills[2]?.findings.find(({ rule }) => rule === 'name-taken')
    expect(taken?.message).toContain(join(own, 'b'))
    expect((await report([own, more])).lines.join('\n')).toContain(join(more, 'a/SKILL.md'))
    expect(build.indexText).not.toContain(own)
  })

  test('extensions_config.json disables a skill; it stays in the index', async () => {
    const config = {
      mcpServers: {},
      skills: { tea: { enabled: false }, coffee: { enabled: true }, gone: {} },
    }
    const root = await folderWith({ ...FILES, 'extensions_config.json': JSON.stringify(config) })
    const { build } = await makeBuild([root], false)
    expect(build.index.skills.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['coffee', true],
      ['tea', false],
    ])
  })

  test('extensions_config.json adds tools, whole and sorted; without any the digest is unchanged', async () => {
    const tool = (name: string): object => ({
      name,
      description: 'Finds tickets.',
      input_schema: { type: 'object' },
      request: { method: 'GET', url: 'https://api.example.com/tickets' },
    })
    const config = (tools: readonly object[]): string => JSON.stringify({ tools })
    const root = await folderWith({ ...FILES, 'extensions_config.json': config([tool('b'), tool('a')]) })
    const { build } = await makeBuild([root], false)
    expect(build.index.tools?.map(({ name, source, enabled }) => [name, source, enabled])).toEqual([
      ['a', 'build', true],
      ['b', 'build', true],
    ])
    const other = await folderWith({
      'extensions_config.json': config([{ ...tool('a'), group: 'x' }, tool('c')]),
    })
    const both = await makeBuild([root, other], false)
    expect(both.build.index.tools?.map(({ name, definition }) => [name, definition['group']])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ])
    const without = await folderWith({ ...FILES, 'extensions_config.json': config([]) })
    const bare = await folderWith(FILES)
    const [one, two] = [await makeBuild([without], false), await makeBuild([bare], false)]
    expect(one.build.digest).toBe(two.build.digest)
    expect(one.build.indexText).not.toContain('"tools":')

    const wrong = config([
      { ...tool('ok'), request: { method: 'GET', url: 'ftp://x' } },
      tool('bash'),
      tool('b'),
      tool('b'),
    ])
    const { lines, failed } = await report([await folderWith({ ...FILES, 'extensions_config.json': wrong })])
    expect(failed).toBe(true)
    for (const words of [
      'tools[0]: request.url',
      'tools[1]: name',
      'tools[3]: Another tool already has the name b',
    ])
      expect(lines.some((line) => line.includes(words))).toBe(true)
  })

  test('extensions_config.json adds MCP servers in the format of deer-flow, and refuses stdio servers', async () => {
    const url = 'https://notes.example.com/mcp'
    const mcpServers = {
      notes: {
        type: 'sse',
        url,
        description: 'Notes.',
        headers: { 'X-Token': '$NOTES_TOKEN', 'X-Team': 'a{{secrets.TEAM}}' },
        tools: { remove: { enabled: false }, add: {} },
        tool_call_timeout: 60,
        oauth: { client_id: 'ada', client_secret: '$CLIENT' },
      },
      asleep: { enabled: false, transport: 'http', url },
      local: { enabled: false, command: 'npx' },
    }
    const config = (servers: object): string => JSON.stringify({ mcpServers: servers })
    const root = await folderWith({ ...FILES, 'extensions_config.json': config(mcpServers) })
    const { tools = [] } = (await makeBuild([root], false)).build.index
    expect(tools).toMatchObject([
      { name: 'mcp:asleep', enabled: false, source: 'build' },
      {
        name: 'mcp:notes',
        enabled: true,
        definition: {
          url,
          auth: { client_id: 'ada', secret: 'CLIENT', scope: null },
          headers: { 'X-Token': '{{secrets.NOTES_TOKEN}}', 'X-Team': 'a{{secrets.TEAM}}' },
          tools: { allow: null, deny: ['remove'] },
          timeout_s: 60,
        },
      },
    ])
    expect(tools.every(({ approved }) => approved === undefined)).toBe(true)
    const wrong = config({ local: { type: 'stdio', command: 'npx' }, Odd: { url }, more: { url, args: [] } })
    const { lines, failed } = await report([await folderWith({ ...FILES, 'extensions_config.json': wrong })])
    expect(failed).toBe(true)
    for (const words of [
      'mcpServers.local: Satchel starts no processes',
      'mcpServers.Odd: server',
      'mcpServers.more:',
    ])
      expect(lines.some((line) => line.includes(words))).toBe(true)
  })

  test.each(['{', '[]', '{"skills": {"tea": {"enabled": "no"}}}'])(
    'switches of the form %s are an error',
    async (text) => {
      const root = await folderWith({ ...FILES, 'extensions_config.json': text })
      const { lines, failed } = await report([root])
      expect(failed).toBe(true)
      expect(lines.some((line) => line.includes('extensions_config.json: error switches-unreadable: '))).toBe(
        true,
      )
    },
  )
})

describe('the report', () => {
  test('names an invalid skill with file and line, hides no other, and fails the build if it is built in', async () => {
    const bad = { 'bad/SKILL.md': '# no frontmatter', 'worse/SKILL.md': skillMd('name: worse') }
    const root = await folderWith({ ...FILES, ...bad })
    const own = await report([root])
    expect(own.failed).toBe(true)
    const text = own.lines.join('\n')
    expect(text).toContain(`${join(root, 'bad/SKILL.md')}:1: error frontmatter-missing: `)
    expect(text).toContain(`${join(root, 'worse/SKILL.md')}:2: error description-missing: `)
    expect(text).toContain('2 of 4 skills loaded, 2 live')

    const guest = await report([await folderWith(FILES), root])
    expect(guest.failed).toBe(false)
    expect((await report([await folderWith(FILES), root], true)).failed).toBe(true)
  })

  test('judges as for publishing with --strict, and builds the same', async () => {
    const root = await folderWith({ 'wrong/SKILL.md': TEA })
    expect((await report([root])).failed).toBe(false)
    const strict = await report([root], true)
    expect(strict.failed).toBe(true)
    expect(strict.lines.some((line) => /SKILL\.md:2: error name-not-folder: .+\.\n +.+\.$/.test(line))).toBe(
      true,
    )
    expect((await makeBuild([root], true)).build.digest).toBe((await makeBuild([root], false)).build.digest)
  })

  test('has a table with a row per skill and totals of the live ones', async () => {
    const { lines } = await report([await folderWith(FILES)], false, true)
    expect(lines[0]).toMatch(/^name +category +level 1 +level 2 +files +bytes +warnings$/)
    expect(lines[1]).toMatch(/^coffee +public +\d+ +\d+ +1 +\d+ +0$/)
    expect(lines[2]).toMatch(/^tea +public +\d+ +\d+ +3 +\d+ +0$/)
    expect(lines[3]).toMatch(/^2 live +\d+ +\d+ +4 +\d+ +0$/)
  })

  test('keeps terminal escapes of a skill away from the terminal', async () => {
    const root = await folderWith({
      'x/SKILL.md': skillMd('name: "a\\e[2Jb"\ndescription: "\\e]0;t\\aDoes."'),
    })
    expect((await report([root], false, true)).lines.join('\n')).not.toMatch(/(?!\n)\p{Cc}/u)
  })
})

describe('the output', () => {
  test('has a new digest module only when the digest changes', async () => {
    const file = join(await folderWith({}), 'build-digest.ts')
    expect(await writeDigestModule('a'.repeat(64), file)).toBe(true)
    expect(await writeDigestModule('a'.repeat(64), file)).toBe(false)
    expect(await readFile(file, 'utf8')).toContain(`export const BUILD_DIGEST = '${'a'.repeat(64)}'`)
  })
})
