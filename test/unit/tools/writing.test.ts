// Guards "a clear result that the model can act on, and nothing half done": the results of the tools that write, show
// and view files in every situation, even if a text only nearly matches a file.

import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../../src/agent/tool.ts'
import { fromUtf8 } from '../../../src/lib/bytes.ts'
import {
  FILE_EDIT_MAX_BYTES,
  IMAGE_FILE_MAX_BYTES,
  PRESENTED_FILES_MAX,
} from '../../../src/tools/files/limits.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { FakeFiles } from '../../fakes/files.ts'
import { gif, jpeg, png, webp } from '../../fakes/images.ts'
import { play, SITUATIONS, type Stage } from '../../fakes/writing-cases.ts'
import { toolContext } from '../../fakes/tool-context.ts'

class Desk implements Stage {
  readonly files = new FakeFiles()

  async put(...file: Parameters<FakeFiles['put']>): Promise<void> {
    await this.files.put(...file)
  }

  fill(): void {
    this.files.refusal = 'This thread may have at most 1 files. Delete some of them first.'
  }

  async call(tool: string, input: object): Promise<ToolResult> {
    const context = toolContext({ files: this.files })
    const made = BUILTINS.find(({ spec }) => spec.name === tool)?.make(context)
    if (!made) throw new Error(`no tool ${tool}`)
    const { signal } = new AbortController()
    const call = { runId: 'r', toolUseId: 't', idempotencyKey: 'r:t', signal, progress: () => {} }
    const result = await made.run(input, call)
    await this.files.apply(result.changes)
    return result
  }

  state(): readonly string[] {
    return this.files.list().map(({ path, sha256 }) => `${path} ${sha256}`)
  }

  async text(path: string): Promise<string | null> {
    const row = this.files.get(path)
    const bytes = row && (await this.files.read(row))
    return bytes?.ok ? fromUtf8(bytes.value) : null
  }
}

describe('a tool that writes, shows or views files', () => {
  for (const [what, situation] of Object.entries(SITUATIONS))
    it(`on ${what} says what to do`, () => play(async () => new Desk(), situation))
})

const PATH = '/mnt/user-data/outputs/a.md'

async function edited(
  before: string,
  input: object,
): Promise<{ result: ToolResult; after: string | null; output: string }> {
  const desk = new Desk()
  await desk.put('outputs/a.md', before, true)
  const result = await desk.call('str_replace', { path: PATH, ...input })
  return {
    result,
    after: await desk.text('outputs/a.md'),
    output: typeof result.content === 'string' ? result.content : '',
  }
}

describe('str_replace', () => {
  it('matches and inserts text literally', async () => {
    const { after, output } = await edited('a\nb $1 c\nd\n', { old: '$1', new: "$& $' $$" })
    expect(after).toBe("a\nb $& $' $$ c\nd\n")
    expect(output).toBe(`Replaced 1 place in ${PATH}, at line 2: 17 bytes, 3 lines now.`)
  })

  it('says where the text is when it is there more than once, and replaces all on request', async () => {
    const before = 'x\n'.repeat(3) + 'xx\n'
    const { output, after } = await edited(before, { old: 'x', new: 'y' })
    expect(output).toContain('at lines 1, 2, 3, 4. Include the text around')
    expect(after).toBe(before)
    const all = await edited(before, { old: 'x', new: '', replace_all: true })
    expect(all.after).toBe('\n'.repeat(4))
    expect(all.output).toContain('Replaced 5 places')
    expect((await edited('x\n'.repeat(50), { old: 'x', new: 'y' })).output).toContain('8, 9, 10 and more')
  })

  const NEAR: Readonly<Record<string, readonly [text: string, old: string, reported: RegExp]>> = {
    'one of our tags that it saw defused': [
      'Write <skill_content> here.',
      'Write &lt;skill_content> here.',
      /Where you see &lt;, the file has <.*Write < in old/,
    ],
    'an entity that is not in the file': ['a < b', 'a &lt; b', /Read the file again/],
    'mixed line breaks': ['a\r\nb\nc', 'a\nb\nc', /with different line endings: it mixes/],
    'another Unicode form': [
      're\u0301sume\u0301',
      'r\u00e9sum\u00e9',
      /a different Unicode normalization form/,
    ],
    'other white space': [
      'if x:\n\treturn  1\n',
      'if x:\n    return 1',
      /lines 1 to 2. It reads:\nif x:\n\treturn  1$/,
    ],
    'other letter case': ['Hello World', 'hello world', /in different letter case/],
    'a first line that exists': [
      'a\nfirst line\nb',
      'first line\nc',
      /first line is at line 2 of the file, but the following lines/,
    ],
    'nothing like it': ['a', 'b', /Read the file again/],
    'an empty file': ['', 'b', /empty: use write_file/],
  }
  for (const [what, [text, old, reported]] of Object.entries(NEAR))
    it(`that missed by ${what} says so and writes nothing`, async () => {
      const { result, output, after } = await edited(text, { old, new: 'z' })
      expect(result.isError).toBe(true)
      expect(output).toMatch(reported)
      expect(after).toBe(text)
    })

  it('finds an entity that is really there', async () => {
    expect((await edited('<b> &lt;skill>', { old: '&lt;skill>', new: 'x' })).after).toBe('<b> x')
  })

  it('keeps the line breaks of a file with CRLF', async () => {
    const { after } = await edited('a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'd\ne\nf' })
    expect(after).toBe('d\r\ne\r\nf\r\nc\r\n')
    expect((await edited('a\r\nb\r\n', { old: 'a', new: 'c\nd' })).after).toBe('c\r\nd\r\nb\r\n')
  })

  it('keeps a byte order mark', async () => {
    expect((await edited('\ufeffa', { old: 'a', new: 'b' })).after).toBe('\ufeffb')
  })

  const REFUSED: Readonly<Record<string, readonly [input: object, reported: RegExp]>> = {
    'an empty text': [{ old: '', new: 'x' }, /old is empty/],
    'nothing to change': [{ old: 'a', new: 'a' }, /are identical/],
    'half a character as the old text': [
      { old: '\ud83d', new: 'x' },
      /old contains half of a character.*character 1\./,
    ],
    'half a character as the new text': [
      { old: 'a', new: 'b😀\ude00' },
      /new contains half of a character.*character 3\./,
    ],
  }
  for (const [what, [input, reported]] of Object.entries(REFUSED))
    it(`refuses ${what}`, async () => {
      const { result, output, after } = await edited('a 😀', input)
      expect(result.isError).toBe(true)
      expect(output).toMatch(reported)
      expect(after).toBe('a 😀')
    })

  it('makes no file of gigabytes out of a short one', async () => {
    const long = 'y'.repeat(FILE_EDIT_MAX_BYTES / 4)
    const { output } = await edited('x'.repeat(100_000), { old: 'x', new: long, replace_all: true })
    expect(output).toContain('would be larger than 4194304 bytes')
  })

  it('refuses more replacements than fit the memory', async () => {
    const { output } = await edited('x'.repeat(1_000_000), { old: 'x', new: 'yy', replace_all: true })
    expect(output).toContain('more than 100000 times')
  })

  it('takes no longer for a text that was chosen to be hard to find', async () => {
    const half = 'a'.repeat(200_000)
    const { output } = await edited('a'.repeat(FILE_EDIT_MAX_BYTES), {
      old: `${half}b${half}`,
      new: '',
    })
    expect(output).toContain('Read the file again')
  })

  it('searches a file of empty lines for a near match, and ends', async () => {
    const { output } = await edited('\n'.repeat(2_000_000), { old: `${'a\n'.repeat(100)}b`, new: '' })
    expect(output).toContain('Read the file again')
  })
})

describe('write_file', () => {
  it('describes the result in a few words', async () => {
    const desk = new Desk()
    const write = async (content: string, append = false): Promise<unknown> =>
      (await desk.call('write_file', { path: PATH, content, append })).content
    expect(await write('a\nb')).toBe(`Wrote ${PATH}: 3 bytes, 2 lines.`)
    expect(await write('c\n', true)).toBe(`Added 2 bytes to ${PATH}: 5 bytes, 2 lines now.`)
    expect(await write('é')).toBe(`Replaced ${PATH}: 2 bytes, 1 line; it had 5 bytes.`)
    expect(await write('é')).toBe(`${PATH} already has exactly this content: 2 bytes, 1 line.`)
    expect(await write('')).toBe(`Replaced ${PATH}: 0 bytes, 0 lines; it had 2 bytes.`)
    expect(await desk.text('outputs/a.md')).toBe('')
  })

  it('refuses half a character, which no file can hold', async () => {
    const desk = new Desk()
    const result = await desk.call('write_file', { path: PATH, content: 'ab\ud800c' })
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('character 3') as string })
    expect(desk.state()).toEqual([])
  })

  it('counts its own writes as known, and nothing of others', async () => {
    const desk = new Desk()
    expect((await desk.call('write_file', { path: PATH, content: 'a' })).isError).toBe(false)
    expect((await desk.call('str_replace', { path: PATH, old: 'a', new: 'b' })).isError).toBe(false)
    await desk.put('outputs/a.md', 'c')
    expect((await desk.call('str_replace', { path: PATH, old: 'c', new: 'b' })).isError).toBe(true)
  })
})

describe('present_files', () => {
  it('names a file by the text of its heading, not by its Markdown', async () => {
    const desk = new Desk()
    await desk.put('outputs/a.md', '# &lt;br&gt; &amp;lt; \\<b\\> \\n &copy; "Q&#39;s"\n', true)
    const { notes } = await desk.call('present_files', { paths: ['/mnt/user-data/outputs/a.md'] })
    expect(notes).toMatchObject([{ title: `<br> &lt; <b> \\n &copy; "Q's"` }])
  })

  it('shows files by their first heading or their name, each once and in order', async () => {
    const desk = new Desk()
    await desk.put('outputs/a.md', 'intro\n\n## The \u202Eplan ##\n# Later\n', true)
    await desk.put('outputs/b.csv', '# no heading', true)
    await desk.put('outputs/c.md', '#hashtag\n', true)
    const paths = ['a.md', 'b.csv', 'c.md', 'a.md'].map((name) => `/mnt/user-data/outputs/${name}`)
    const { notes, content } = await desk.call('present_files', { paths })
    expect(notes).toEqual([
      { type: 'artifact', path: 'outputs/a.md', title: 'The plan', media_type: 'text/markdown' },
      { type: 'artifact', path: 'outputs/b.csv', title: 'b.csv', media_type: 'text/csv' },
      { type: 'artifact', path: 'outputs/c.md', title: 'c.md', media_type: 'text/markdown' },
    ])
    expect(content).toContain(
      'The user now sees:\n/mnt/user-data/outputs/a.md as "The plan" (text/markdown, ',
    )
  })

  it('shows nothing if one of them cannot be shown, and says which', async () => {
    const desk = new Desk()
    await desk.put('outputs/a.md', 'a', true)
    const { notes, content } = await desk.call('present_files', {
      paths: [PATH, '/mnt/user-data/outputs/b.md'],
    })
    expect(notes).toBeUndefined()
    expect(content).toMatch(/^Nothing was shown. There is no file .*b.md/)
  })

  it('accepts a limited number', async () => {
    const paths = Array.from({ length: PRESENTED_FILES_MAX + 1 }, () => PATH)
    expect((await new Desk().call('present_files', { paths })).content).toContain('paths: ')
    expect((await new Desk().call('present_files', { paths: [] })).content).toContain('paths: ')
  })
})

describe('view_image', () => {
  const IMAGES = {
    'a.png': png(),
    'a.jpg': jpeg(),
    'b.JPEG': jpeg(),
    'a.gif': gif(),
    'a.webp': webp('VP8L', [0, 0, 0, 0, 0, ...Array<number>(13).fill(0)]),
  }
  for (const [name, { source }] of Object.entries(IMAGES))
    it(`returns ${name} as a block that names its object`, async () => {
      const desk = new Desk()
      const bytes = Uint8Array.from(atob(source.data), (char) => char.charCodeAt(0))
      await desk.put(`uploads/${name}`, bytes)
      const path = `/mnt/user-data/uploads/${name}`
      const { content, isError } = await desk.call('view_image', { path })
      expect(isError).toBe(false)
      expect(content).toMatchObject([
        { type: 'text', text: `${path} (${source.media_type}, ${bytes.length} bytes):` },
        { type: 'image', source: { type: 'file', object: 1, media_type: source.media_type, path } },
      ])
    })

  it('refuses an image that no request could hold', async () => {
    const desk = new Desk()
    await desk.put('uploads/a.png', new Uint8Array(IMAGE_FILE_MAX_BYTES + 1))
    const { content } = await desk.call('view_image', { path: '/mnt/user-data/uploads/a.png' })
    expect(content).toContain('only images up to 3932160 bytes can be shown')
  })
})

describe('an invalid call', () => {
  it('is answered with the field to fix', async () => {
    const desk = new Desk()
    for (const [tool, input] of [
      ['write_file', { path: PATH }],
      ['write_file', { path: PATH, content: 'a', mode: 7 }],
      ['str_replace', { path: PATH, old_str: 'a', new_str: 'b' }],
      ['view_image', { path: '' }],
    ] as const)
      expect((await desk.call(tool, input)).content).toContain('Fix it and call again')
  })
})
