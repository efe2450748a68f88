// `tree`: prints the files below a folder as an indented list.

import type { Command, CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions } from '../options.ts'
import { wildcard } from '../wildcard.ts'

const OPTIONS = [
  { flags: '-a' },
  { flags: '-d' },
  { flags: '-f' },
  { flags: '-i' },
  { flags: '-n' },
  { flags: '-L', value: 'required' },
  { flags: '-I', value: 'required' },
  { flags: '-P', value: 'required' },
  { flags: '--noreport' },
  { flags: '--dirsfirst' },
  { flags: '--charset', value: 'required' },
] as const

interface Walk {
  readonly io: CommandIo
  readonly all: boolean
  readonly foldersOnly: boolean
  readonly fullPaths: boolean
  readonly indents: boolean
  readonly foldersFirst: boolean
  readonly depthMax: number
  readonly ignored: readonly string[]
  readonly shown: readonly string[]
  folders: number
  files: number
}

export const tree: Command = {
  async run(io) {
    const given = parseOptions('tree', io.args, OPTIONS)
    const walk: Walk = {
      io,
      all: given.has('-a'),
      foldersOnly: given.has('-d'),
      fullPaths: given.has('-f'),
      indents: !given.has('-i'),
      foldersFirst: given.has('--dirsfirst'),
      depthMax: Number(given.value('-L') ?? Infinity),
      ignored: (given.value('-I') ?? '').split('|').filter((pattern) => pattern !== ''),
      shown: (given.value('-P') ?? '').split('|').filter((pattern) => pattern !== ''),
      folders: 0,
      files: 0,
    }
    let exitCode = 0
    for (const path of given.operands.length === 0 ? ['.'] : given.operands) {
      if ((await io.files.stat(path))?.kind !== 'directory') {
        await io.stdout.write(`${path}  [error opening dir]\n`)
        exitCode = 2
        continue
      }
      await io.stdout.write(`${path}\n`)
      walk.folders++
      await list(walk, path, '', 1)
    }
    if (!given.has('--noreport')) await io.stdout.write(report(walk))
    return exitCode
  },
}

async function list(walk: Walk, path: string, indent: string, depth: number): Promise<void> {
  if (depth > walk.depthMax) return
  const entries = await entriesOf(walk, path)
  for (const [index, { name, isFolder }] of entries.entries()) {
    const last = index === entries.length - 1
    const child = `${path.replace(/\/$/, '')}/${name}`
    const mark = walk.indents ? `${indent}${last ? '└── ' : '├── '}` : ''
    await walk.io.stdout.write(`${mark}${walk.fullPaths ? child : name}\n`)
    if (!isFolder) {
      walk.files++
      continue
    }
    walk.folders++
    await list(walk, child, `${indent}${last ? '    ' : '│\u00a0\u00a0 '}`, depth + 1)
  }
}

async function entriesOf(walk: Walk, path: string): Promise<{ name: string; isFolder: boolean }[]> {
  let names: readonly string[]
  try {
    names = await walk.io.files.list(path)
  } catch (error) {
    if (error instanceof FileError) return []
    throw error
  }
  const entries: { name: string; isFolder: boolean }[] = []
  for (const name of names) {
    if (!walk.all && name.startsWith('.')) continue
    if (walk.ignored.some((pattern) => wildcard(pattern)(name))) continue
    const isFolder = (await walk.io.files.lstat(`${path}/${name}`))?.kind === 'directory'
    if (walk.foldersOnly && !isFolder) continue
    if (!isFolder && walk.shown.length > 0 && !walk.shown.some((pattern) => wildcard(pattern)(name))) continue
    entries.push({ name, isFolder })
  }
  return walk.foldersFirst ? entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder)) : entries
}

function report({ folders, files, foldersOnly }: Walk): string {
  const counted = `${folders} director${folders === 1 ? 'y' : 'ies'}`
  return foldersOnly ? `\n${counted}\n` : `\n${counted}, ${files} file${files === 1 ? '' : 's'}\n`
}
