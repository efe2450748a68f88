// `tar`, which the browser build of just-bash lacks. Creates, lists and extracts archives of files and folders, with or
// without gzip.

import { gunzipSync, gzipSync } from 'node:zlib'

import { packTar, unpackTar } from 'modern-tar'

import type { CommandContext, ExecResult } from './shell.js'
import { stdinOf } from './standard-input.ts'
import { fromLatin1, toLatin1 } from './text-of-bytes.ts'

interface TarOptions {
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

const USAGE = 'tar: supports only -c, -x and -t, with -f, -z, -v, -C, -O, --exclude and --strip-components\n'

/** `maxBytes` limits the content of an archive, whether compressed or not. */
export function tar(maxBytes: number): (args: string[], context: CommandContext) => Promise<ExecResult> {
  return async (args, context) => {
    const options = optionsOf(args)
    if (!options || options.mode === '') return { stdout: '', stderr: USAGE, exitCode: 2 }
    try {
      return options.mode === 'c'
        ? await create(options, context, maxBytes)
        : await read(options, context, maxBytes)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { stdout: '', stderr: `tar: ${why}\ntar: Error is not recoverable: exiting now\n`, exitCode: 2 }
    }
  }
}

function optionsOf(args: readonly string[]): TarOptions | null {
  const options: TarOptions = {
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
  // `tar czf x.tgz` means `tar -czf x.tgz`.
  const expandedArgs =
    args[0] !== undefined && !args[0].startsWith('-') ? [`-${args[0]}`, ...args.slice(1)] : [...args]
  for (let index = 0; index < expandedArgs.length; index++) {
    const arg = expandedArgs[index] ?? ''
    const [long, value] = arg.split(/=(.*)/s)
    if (long === '--exclude') options.exclude.push(value ?? expandedArgs[++index] ?? '')
    else if (long === '--strip-components') options.strip = Number(value ?? expandedArgs[++index])
    else if (long === '--directory') options.folder = value ?? expandedArgs[++index] ?? ''
    else if (long === '--file') options.file = value ?? expandedArgs[++index] ?? ''
    else if (arg === '--create') options.mode = 'c'
    else if (arg === '--extract') options.mode = 'x'
    else if (arg === '--list') options.mode = 't'
    else if (arg === '--gzip') options.gzip = true
    else if (arg.startsWith('-') && arg !== '-') {
      for (const letter of arg.slice(1))
        if (letter === 'c' || letter === 'x' || letter === 't') options.mode = letter
        else if (letter === 'z') options.gzip = true
        else if (letter === 'v') options.verbose = true
        else if (letter === 'O') options.toStdout = true
        else if (letter === 'f') options.file = expandedArgs[++index] ?? ''
        else if (letter === 'C') options.folder = expandedArgs[++index] ?? ''
        else if (!'pmk'.includes(letter)) return null
    } else options.names.push(arg)
  }
  return options
}

async function create(
  options: TarOptions,
  { fs, cwd }: CommandContext,
  maxBytes: number,
): Promise<ExecResult> {
  const base = fs.resolvePath(cwd, options.folder)
  if (options.names.length === 0) throw new Error('Cowardly refusing to create an empty archive')
  const entries: Parameters<typeof packTar>[0][number][] = []
  let bytes = 0
  const add = async (name: string): Promise<void> => {
    if (options.exclude.some((pattern) => matchesPattern(pattern, name))) return
    const path = fs.resolvePath(base, name)
    const { isDirectory, mode, mtime } = await fs.stat(path)
    if (!isDirectory) {
      const data = await fs.readFileBuffer(path)
      bytes += data.length
      if (bytes > maxBytes) throw new Error('the archive is too large')
      entries.push({ header: { name, size: data.length, mode, mtime, type: 'file' }, body: data })
      return
    }
    const folder = name.replace(/\/*$/, '/')
    entries.push({ header: { name: folder, size: 0, mode, mtime, type: 'directory' } })
    for (const child of await fs.readdir(path)) await add(folder + child)
  }
  for (const name of options.names)
    try {
      await add(name.replace(/^\/+/, '') === name ? name : name.replace(/^\/+/, '/'))
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('ENOENT'))
        throw new Error(`${name}: Cannot stat: No such file or directory`, { cause: error })
      throw error
    }
  const packed = await packTar(entries)
  const archive = options.gzip || options.file.endsWith('gz') ? gzipSync(packed) : packed
  const list = options.verbose ? entries.map(({ header }) => `${header.name}\n`).join('') : ''
  if (options.file === '-') return binaryResult(archive, list)
  await fs.writeFile(fs.resolvePath(cwd, options.file), new Uint8Array(archive))
  return { stdout: list, stderr: '', exitCode: 0 }
}

async function read(options: TarOptions, context: CommandContext, maxBytes: number): Promise<ExecResult> {
  const { fs, cwd } = context
  const archive =
    options.file === '-'
      ? fromLatin1(stdinOf(context))
      : await fs.readFileBuffer(fs.resolvePath(cwd, options.file)).catch(() => {
          throw new Error(`${options.file}: Cannot open: No such file or directory`)
        })
  const isGzip = archive[0] === 0x1f && archive[1] === 0x8b
  const entries = await unpackTar(
    isGzip ? new Uint8Array(gunzipSync(archive, { maxOutputLength: maxBytes })) : archive,
    { strict: true },
  )
  const base = fs.resolvePath(cwd, options.folder)
  let stdout = ''
  const pieces: Uint8Array[] = []
  const foundNames = new Set<string>()
  for (const { header, data } of entries) {
    const matchingName = options.names.find(
      (name) => header.name === name || header.name.startsWith(`${name.replace(/\/$/, '')}/`),
    )
    if (options.names.length > 0 && matchingName === undefined) continue
    if (matchingName !== undefined) foundNames.add(matchingName)
    if (options.exclude.some((pattern) => matchesPattern(pattern, header.name))) continue
    if (options.mode === 't' || options.verbose) stdout += `${header.name}\n`
    if (options.mode === 't') continue
    const name = header.name.split('/').slice(options.strip).join('/')
    if (name === '') continue
    if (name.split('/').includes('..')) throw new Error(`${header.name}: Member name contains '..'`)
    if (header.type === 'directory')
      await fs.mkdir(fs.resolvePath(base, name.replace(/^\/+/, '')), { recursive: true })
    else if (header.type !== 'file') throw new Error(`${header.name}: links and devices cannot be extracted`)
    else if (options.toStdout) pieces.push(data ?? new Uint8Array())
    else {
      const path = fs.resolvePath(base, name.replace(/^\/+/, ''))
      await fs.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true })
      await fs.writeFile(path, data ?? new Uint8Array())
      if (header.mode !== undefined) await fs.chmod(path, header.mode)
    }
  }
  const missing = options.names.filter((name) => !foundNames.has(name))
  const stderr = missing.map((name) => `tar: ${name}: Not found in archive\n`).join('')
  const exitCode = missing.length > 0 ? 2 : 0
  if (options.toStdout) return { ...binaryResult(await joinBytes(pieces), ''), stderr, exitCode }
  return { stdout, stderr, exitCode }
}

async function joinBytes(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob(pieces.map((piece) => new Uint8Array(piece))).arrayBuffer())
}

function binaryResult(bytes: Uint8Array, stderr: string): ExecResult {
  return { stdout: toLatin1(bytes), stdoutKind: 'bytes', stdoutEncoding: 'binary', stderr, exitCode: 0 }
}

/** Whether `pattern` matches the name or its last component; `*` matches anything. */
function matchesPattern(pattern: string, name: string): boolean {
  const [prefix = '', ...partsAfterStars] = pattern.replace(/^\.\//, '').split('*')
  return [name.replace(/^\.\//, ''), name.split('/').at(-1) ?? ''].some((text) => {
    if (partsAfterStars.length === 0) return text === prefix || text.startsWith(`${prefix}/`)
    if (!text.startsWith(prefix)) return false
    let matchedEnd = prefix.length
    for (const part of partsAfterStars.slice(0, -1)) {
      const index = text.indexOf(part, matchedEnd)
      if (index === -1) return false
      matchedEnd = index + part.length
    }
    const suffix = partsAfterStars.at(-1) ?? ''
    return text.length - matchedEnd >= suffix.length && text.endsWith(suffix)
  })
}
