// Guards that archives contain the files that were packed.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { ran, type Ran } from './in-memory.ts'

const FILES = { a: 'foo bar foo bar foo bar\n', 'd/b': 'é\n', empty: '' }

async function run(line: string, files: Readonly<Record<string, string>>, stdin = ''): Promise<Ran> {
  const [name = '', ...args] = line.split(' ')
  const command = OWN_COMMANDS[name]
  if (!command) throw new Error(`there is no command ${name}`)
  return ran(command, name, args, stdin, files)
}

describe('gzip', () => {
  it('replaces a file, and gunzip restores it', async () => {
    const packed = await run('gzip a', FILES)
    expect([...packed.files.keys()]).toEqual(['d/b', 'empty', 'a.gz'])
    const restored = await run('gunzip a.gz', Object.fromEntries(packed.files))
    expect(restored.files.get('a')).toBe(FILES.a)
    expect(restored.files.has('a.gz')).toBe(false)
  })

  it('keeps the file with -k, and refuses to overwrite another', async () => {
    const { files } = await run('gzip -k a', FILES)
    expect(files.has('a')).toBe(true)
    expect(await run('gzip -k a', Object.fromEntries(files))).toMatchObject({ exitCode: 2 })
  })

  it('reports a file that is not compressed', async () => {
    expect(await run('zcat a', FILES)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: '\ngzip: a: not in gzip format\n',
    })
  })

  it('is searched by zgrep', async () => {
    const { files } = await run('gzip -k a', FILES)
    expect((await run('zgrep -c foo a.gz d/b', Object.fromEntries(files))).stdout).toBe('a.gz:1\nd/b:0\n')
  })
})

describe('zip', () => {
  it('packs folders with their files, and unzip prints and lists them', async () => {
    const { files, stdout } = await run('zip -r x.zip d empty', FILES)
    expect(stdout).toContain('  adding: d/b (stored 0%)\n')
    const archive = Object.fromEntries(files)
    expect((await run('unzip -p x.zip d/b', archive)).stdout).toBe('é\n')
    expect((await run('unzip -l x.zip', archive)).stdout).toMatch(/\n {8}3 {2}[-\d]+ [:\d]+ {3}d\/b\n/)
    expect((await run('unzip -tqq x.zip', archive)).stdout).toBe('')
    expect((await run('unzip -t x.zip', archive)).stdout).toContain(
      '    testing: d/b                      OK\n',
    )
  })

  it('lists only names with unzip -Z1 and zipinfo -1', async () => {
    const { files } = await run('zip -qr x.zip d empty', FILES)
    const archive = Object.fromEntries(files)
    expect((await run('unzip -Z1 x.zip', archive)).stdout).toBe('d/\nd/b\nempty\n')
    expect((await run('zipinfo -1 x.zip e*', archive)).stdout).toBe('empty\n')
    expect((await run('unzip -Z x.zip', archive)).refused).toContain('Instead: unzip -Z1 or unzip -l')
  })

  it('has nothing to do without files', async () => {
    expect(await run('zip x.zip gone', FILES)).toMatchObject({ exitCode: 12 })
  })

  it('reports an archive that is missing or invalid', async () => {
    expect(await run('unzip gone', FILES)).toMatchObject({ exitCode: 9 })
    expect(await run('unzip a', FILES)).toMatchObject({ exitCode: 9 })
  })

  it('does not overwrite files without being told', async () => {
    const { files } = await run('zip -q x.zip a', FILES)
    expect((await run('unzip x.zip', Object.fromEntries(files))).refused).toContain('unzip -o')
  })
})
