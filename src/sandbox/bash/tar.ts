// `tar`, which just-bash has only outside of browsers: create, list and extract, with gzip. Files and folders alone.

import { gunzipSync, gzipSync } from 'node:zlib'

import { packTar, unpackTar } from 'modern-tar'

import type { CommandContext, ExecResult } from './shell.js'
import { stdinOf } from './programs.ts'
import { fromLatin1, toLatin1 } from './text-of-bytes.ts'

interface Asked {
  mode: '' | 'c' | 'x' | 't'
  gzip: boolean
  verbose: boolean
  toStdout: boolean
  file: string
  folder: string
  strip: number
  readonly exclude: string[]
  readonly names: string[]
}

const USAGE = 'tar: only -c, -x and -t are here, with -f, -z, -v, -C, -O, --exclude and --strip-components\n'

/** `most`: bytes that an archive may hold, packed or not. */
export function tar(most: number): (args: string[], context: CommandContext) => Promise<ExecResult> {
  return async (args, context) => {
    const asked = ask(args)
    if (!asked || asked.mode === '') return { stdout: '', stderr: USAGE, exitCode: 2 }
    try {
      return asked.mode === 'c' ? await create(asked, context, most) : await read(asked, context, most)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { stdout: '', stderr: `tar: ${why}\ntar: Error is not recoverable: exiting now\n`, exitCode: 2 }
    }
  }
}

function ask(args: readonly string[]): Asked | null {
  const asked: Asked = {
    mode: '',
    gzip: false,
    verbose: false,
    toStdout: false,
    file: '-',
    folder: '.',
    strip: 0,
    exclude: [],
    names: [],
  }
  // `tar czf x.tgz` is `tar -czf x.tgz`.
  const rest =
    args[0] !== undefined && !args[0].startsWith('-') ? [`-${args[0]}`, ...args.slice(1)] : [...args]
  for (let at = 0; at < rest.length; at++) {
    const arg = rest[at] ?? ''
    const [long, value] = arg.split(/=(.*)/s)
    if (long === '--exclude') asked.exclude.push(value ?? rest[++at] ?? '')
    else if (long === '--strip-components') asked.strip = Number(value ?? rest[++at])
    else if (long === '--directory') asked.folder = value ?? rest[++at] ?? ''
    else if (long === '--file') asked.file = value ?? rest[++at] ?? ''
    else if (arg === '--create') asked.mode = 'c'
    else if (arg === '--extract') asked.mode = 'x'
    else if (arg === '--list') asked.mode = 't'
    else if (arg === '--gzip') asked.gzip = true
    else if (arg.startsWith('-') && arg !== '-') {
      for (const letter of arg.slice(1))
        if (letter === 'c' || letter === 'x' || letter === 't') asked.mode = letter
        else if (letter === 'z') asked.gzip = true
        else if (letter === 'v') asked.verbose = true
        else if (letter === 'O') asked.toStdout = true
        else if (letter === 'f') asked.file = rest[++at] ?? ''
        else if (letter === 'C') asked.folder = rest[++at] ?? ''
        else if (!'pmk'.includes(letter)) return null
    } else asked.names.push(arg)
  }
  return asked
}

async function create(asked: Asked, { fs, cwd }: CommandContext, most: number): Promise<ExecResult> {
  const base = fs.resolvePath(cwd, asked.folder)
  if (asked.names.length === 0) throw new Error('Cowardly refusing to create an empty archive')
  const entries: Parameters<typeof packTar>[0][number][] = []
  let bytes = 0
  const add = async (name: string): Promise<void> => {
    if (asked.exclude.some((pattern) => fits(pattern, name))) return
    const path = fs.resolvePath(base, name)
    const { isDirectory, mode, mtime } = await fs.stat(path)
    if (!isDirectory) {
      const data = await fs.readFileBuffer(path)
      bytes += data.length
      if (bytes > most) throw new Error('the archive is too large')
      entries.push({ header: { name, size: data.length, mode, mtime, type: 'file' }, body: data })
      return
    }
    const folder = name.replace(/\/*$/, '/')
    entries.push({ header: { name: folder, size: 0, mode, mtime, type: 'directory' } })
    for (const child of await fs.readdir(path)) await add(folder + child)
  }
  for (const name of asked.names)
    try {
      await add(name.replace(/^\/+/, '') === name ? name : name.replace(/^\/+/, '/'))
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('ENOENT'))
        throw new Error(`${name}: Cannot stat: No such file or directory`, { cause: error })
      throw error
    }
  const packed = await packTar(entries)
  const archive = asked.gzip || asked.file.endsWith('gz') ? gzipSync(packed) : packed
  const list = asked.verbose ? entries.map(({ header }) => `${header.name}\n`).join('') : ''
  if (asked.file === '-') return binary(archive, list)
  await fs.writeFile(fs.resolvePath(cwd, asked.file), new Uint8Array(archive))
  return { stdout: list, stderr: '', exitCode: 0 }
}

async function read(asked: Asked, context: CommandContext, most: number): Promise<ExecResult> {
  const { fs, cwd } = context
  const archive =
    asked.file === '-'
      ? fromLatin1(stdinOf(context))
      : await fs.readFileBuffer(fs.resolvePath(cwd, asked.file)).catch(() => {
          throw new Error(`${asked.file}: Cannot open: No such file or directory`)
        })
  const packed = archive[0] === 0x1f && archive[1] === 0x8b
  const entries = await unpackTar(
    packed ? new Uint8Array(gunzipSync(archive, { maxOutputLength: most })) : archive,
    { strict: true },
  )
  const base = fs.resolvePath(cwd, asked.folder)
  let stdout = ''
  const pieces: Uint8Array[] = []
  const found = new Set<string>()
  for (const { header, data } of entries) {
    const wanted = asked.names.find(
      (name) => header.name === name || header.name.startsWith(`${name.replace(/\/$/, '')}/`),
    )
    if (asked.names.length > 0 && wanted === undefined) continue
    if (wanted !== undefined) found.add(wanted)
    if (asked.exclude.some((pattern) => fits(pattern, header.name))) continue
    if (asked.mode === 't' || asked.verbose) stdout += `${header.name}\n`
    if (asked.mode === 't') continue
    const name = header.name.split('/').slice(asked.strip).join('/')
    if (name === '') continue
    if (name.split('/').includes('..')) throw new Error(`${header.name}: Member name contains '..'`)
    if (header.type === 'directory')
      await fs.mkdir(fs.resolvePath(base, name.replace(/^\/+/, '')), { recursive: true })
    else if (header.type !== 'file')
      throw new Error(`${header.name}: links and devices are not extracted here`)
    else if (asked.toStdout) pieces.push(data ?? new Uint8Array())
    else {
      const path = fs.resolvePath(base, name.replace(/^\/+/, ''))
      await fs.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true })
      await fs.writeFile(path, data ?? new Uint8Array())
      if (header.mode !== undefined) await fs.chmod(path, header.mode)
    }
  }
  const missing = asked.names.filter((name) => !found.has(name))
  const stderr = missing.map((name) => `tar: ${name}: Not found in archive\n`).join('')
  const exitCode = missing.length > 0 ? 2 : 0
  if (asked.toStdout) return { ...binary(await joined(pieces), ''), stderr, exitCode }
  return { stdout, stderr, exitCode }
}

async function joined(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob(pieces.map((piece) => new Uint8Array(piece))).arrayBuffer())
}

function binary(bytes: Uint8Array, stderr: string): ExecResult {
  return { stdout: toLatin1(bytes), stdoutKind: 'bytes', stdoutEncoding: 'binary', stderr, exitCode: 0 }
}

/** A name, the end of one, or a pattern with `*` over either. */
function fits(pattern: string, name: string): boolean {
  const parts = pattern.replace(/^\.\//, '').split('*')
  const [first = '', ...rest] = parts
  return [name.replace(/^\.\//, ''), name.split('/').at(-1) ?? ''].some((one) => {
    if (rest.length === 0) return one === first || one.startsWith(`${first}/`)
    if (!one.startsWith(first)) return false
    let at = first.length
    for (const part of rest.slice(0, -1)) {
      const next = one.indexOf(part, at)
      if (next === -1) return false
      at = next + part.length
    }
    const last = rest.at(-1) ?? ''
    return one.length - at >= last.length && one.endsWith(last)
  })
}
