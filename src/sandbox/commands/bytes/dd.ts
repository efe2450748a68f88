// `dd`: copies blocks of bytes.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { FileError } from '../io/files.ts'
import { readAll, type ByteReader } from '../io/reader.ts'
import { usageMessage } from '../real-options.ts'
import { numberOf, sizeOf } from './dd-numbers.ts'

/** The shell holds what is before it in memory. */
const SEEK_MAX_BYTES = 67_108_864

const NAMES = [
  'bs',
  'cbs',
  'conv',
  'count',
  'ibs',
  'if',
  'iflag',
  'obs',
  'of',
  'oflag',
  'seek',
  'skip',
  'status',
]
const CONVERSIONS = [
  'lcase',
  'ucase',
  'notrunc',
  'sync',
  'swab',
  'fsync',
  'fdatasync',
  'noerror',
  'excl',
  'nocreat',
]
const FLAGS = ['count_bytes', 'skip_bytes', 'seek_bytes', 'fullblock', 'append']
/** Conversions and flags that only the real command has. */
const OTHERS = new Set(
  (
    'ascii ebcdic ibm block unblock lcase ucase sparse swab noerror nocreat excl notrunc sync fdatasync fsync ' +
    'append direct directory dsync noatime nocache nofollow nonblock noctty fullblock count_bytes skip_bytes seek_bytes'
  ).split(' '),
)

export const dd: Command = {
  async run(io) {
    const given = operandsOf(io.args)
    const list = (name: string, known: readonly string[]): ReadonlySet<string> => {
      const words = (given.get(name) ?? '').split(',').filter((word) => word !== '')
      const other = words.find((word) => !known.includes(word))
      if (other !== undefined && OTHERS.has(other))
        throw new Unsupported(`dd ${name}=${other}`, 'tr, head, tail or python3')
      if (other !== undefined) {
        const what = name === 'conv' ? 'conversion' : name === 'iflag' ? 'input flag' : 'output flag'
        throw new Failed(usageMessage('dd', `invalid ${what}: ‘${other}’`))
      }
      return new Set(words)
    }
    const conversions = list('conv', CONVERSIONS)
    const [inputFlags, outputFlags] = [list('iflag', FLAGS), list('oflag', FLAGS)]
    const status = given.get('status') ?? ''
    if (!['', 'none', 'noxfer', 'progress'].includes(status))
      throw new Failed(`invalid status level: ‘${status}’`)
    if (given.has('cbs')) throw new Unsupported('dd cbs=', 'fold, or python3')
    const inputSize = sizeOf(given.get('bs') ?? given.get('ibs'), 512)
    const outputSize = sizeOf(given.get('bs') ?? given.get('obs'), 512)
    const skip = numberOf(given.get('skip'), inputFlags.has('skip_bytes'), inputSize)
    const count = given.has('count')
      ? numberOf(given.get('count'), inputFlags.has('count_bytes'), inputSize)
      : Infinity
    const seek = numberOf(given.get('seek'), outputFlags.has('seek_bytes'), outputSize)
    const reader = await opened(io, given.get('if'))
    if (!conversions.has('notrunc')) await emptied(io, given, seek)
    const input = await taken(reader, skip, count, given.get('if') === '/dev/zero')
    if (conversions.has('swab') && input.length % 2 === 1 && !conversions.has('sync'))
      throw new Unsupported('dd conv=swab of an odd number of bytes', 'python3')
    const output = converted(input, inputSize, conversions)
    await written(io, given.get('of'), output, seek, conversions, outputFlags)
    const records = (bytes: number, size: number): string =>
      `${Math.floor(bytes / size)}+${bytes % size > 0 ? 1 : 0}`
    if (status !== 'none') {
      const rest = conversions.has('sync')
        ? records(output.length, inputSize)
        : records(output.length, outputSize)
      await io.stderr.write(`${records(input.length, inputSize)} records in\n${rest} records out\n`)
      if (status !== 'noxfer') await io.stderr.write(`${output.length} bytes copied\n`)
    }
    return 0
  },
}

function operandsOf(args: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const arg of args) {
    const [, name = '', value = ''] = /^([a-z]+)=(.*)$/s.exec(arg) ?? []
    if (!NAMES.includes(name)) throw new Failed(usageMessage('dd', `unrecognized operand ‘${arg}’`))
    const before = given.get(name)
    given.set(
      name,
      before !== undefined && /^(?:conv|iflag|oflag)$/.test(name) ? `${before},${value}` : value,
    )
  }
  return given
}

async function opened(io: CommandIo, path: string | undefined): Promise<ByteReader> {
  try {
    return path === undefined ? io.stdin : await io.files.open(path)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`failed to open '${path ?? ''}': ${error.message}`)
    throw error
  }
}

/** Truncates the output file before any input is read. */
async function emptied(io: CommandIo, given: ReadonlyMap<string, string>, seek: number): Promise<void> {
  const [from, to] = [given.get('if'), given.get('of')]
  if (from === undefined || to === undefined || !(await io.files.stat(to))) return
  if ((await io.files.realPath(from)) !== (await io.files.realPath(to))) return
  if (seek > 0) throw new Unsupported('dd of a file to itself with seek=', 'dd of a copy')
  await io.files.write(to, new Uint8Array())
}

async function taken(reader: ByteReader, skip: number, count: number, endless: boolean): Promise<Uint8Array> {
  if (endless && count === Infinity) throw new Unsupported('dd of an endless file', 'dd with count=')
  const most = skip + count
  if (most === Infinity) return (await readAll(reader)).subarray(skip)
  const chunks: Uint8Array[] = []
  for (let bytes = 0; bytes < most;) {
    const chunk = await reader.read()
    if (!chunk) break
    chunks.push(chunk)
    bytes += chunk.length
  }
  return concat(chunks).subarray(skip, most)
}

function converted(input: Uint8Array, size: number, conversions: ReadonlySet<string>): Uint8Array {
  const isPadded = conversions.has('sync') && input.length % size > 0
  const output = new Uint8Array(isPadded ? Math.ceil(input.length / size) * size : input.length)
  output.set(input)
  if (conversions.has('swab'))
    for (let at = 0; at + 1 < output.length; at += 2) {
      const first = output[at] ?? 0
      output[at] = output[at + 1] ?? 0
      output[at + 1] = first
    }
  if (conversions.has('lcase')) return output.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
  if (conversions.has('ucase')) return output.map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte))
  return output
}

async function written(
  io: CommandIo,
  path: string | undefined,
  bytes: Uint8Array,
  seek: number,
  conversions: ReadonlySet<string>,
  flags: ReadonlySet<string>,
): Promise<void> {
  if (path === undefined) {
    if (seek > 0) throw new Unsupported('dd seek= without of=', 'dd of=FILE')
    await io.stdout.write(bytes)
    return
  }
  try {
    const status = await io.files.stat(path)
    if (status && conversions.has('excl')) throw new FileError('File exists')
    if (!status && conversions.has('nocreat')) throw new FileError('No such file or directory')
    if (path === '/dev/null' || path === '/dev/stdout' || path === '/dev/stderr') {
      const writer = await io.files.create(path)
      await writer.write(bytes)
      await writer.flush()
      return
    }
    const before = status ? await io.files.read(path) : new Uint8Array()
    if (flags.has('append')) {
      await io.files.write(
        path,
        concat([conversions.has('notrunc') ? before : before.subarray(0, seek), bytes]),
      )
      return
    }
    const end = seek + bytes.length
    if (seek > SEEK_MAX_BYTES) throw new Unsupported(`dd with seek= of ${seek} bytes`, 'a smaller seek=')
    const all = new Uint8Array(conversions.has('notrunc') ? Math.max(end, before.length) : end)
    all.set(before.subarray(0, conversions.has('notrunc') ? before.length : seek))
    all.set(bytes, seek)
    await io.files.write(path, all)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`failed to open '${path}': ${error.message}`)
    throw error
  }
}
