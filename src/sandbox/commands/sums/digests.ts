// `md5sum`, `sha256sum` and others: print and check digests of files.

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { blake2b } from '@noble/hashes/blake2.js'

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readLines, type ByteReader } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'

const OPTIONS = [
  { flags: '-b --binary' },
  { flags: '-c --check' },
  { flags: '--tag' },
  { flags: '-t --text' },
  { flags: '-z --zero' },
  { flags: '--ignore-missing' },
  { flags: '--quiet' },
  { flags: '--status' },
  { flags: '--strict' },
  { flags: '-w --warn' },
] as const
const LENGTH = { flags: '-l --length', value: 'required' } as const
const BITS_MAX = 512

export interface Algorithm {
  readonly name: string
  /** The name as `--tag` prints it. */
  readonly tag: string
  /** Number of hexadecimal digits. */
  readonly length: number
}

export const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  md5sum: { name: 'md5', tag: 'MD5', length: 32 },
  sha1sum: { name: 'sha1', tag: 'SHA1', length: 40 },
  sha224sum: { name: 'sha224', tag: 'SHA224', length: 56 },
  sha256sum: { name: 'sha256', tag: 'SHA256', length: 64 },
  sha384sum: { name: 'sha384', tag: 'SHA384', length: 96 },
  sha512sum: { name: 'sha512', tag: 'SHA512', length: 128 },
  b2sum: { name: 'blake2b', tag: 'BLAKE2b', length: 128 },
}

export const digests: Command = {
  async run(io) {
    const general = ALGORITHMS[io.name]
    if (!general) return 1
    const isBlake = general.name === 'blake2b'
    const given = parseOptions(io.name, io.args, isBlake ? [...OPTIONS, LENGTH] : OPTIONS)
    const algorithm = given.has('-l') ? shortened(general, given.value('-l') ?? '') : general
    if (isBlake && given.has('-c') && given.has('-l'))
      throw new Unsupported('b2sum -c with -l', 'b2sum -c without it, for sums of 512 bits')
    if (given.has('-c')) return check(io, given, algorithm)
    for (const flag of ['--ignore-missing', '--quiet', '--status', '--strict', '-w'])
      if (given.has(flag))
        throw new Failed(
          `the ${flag === '-w' ? '--warn' : flag} option is meaningful only when verifying checksums`,
        )
    let exitCode = 0
    const binary = given.last('-b', '-t') === '-b'
    for (const name of given.operands.length === 0 ? ['-'] : given.operands)
      try {
        const digest = await digestOf(name === '-' ? io.stdin : await io.files.open(name), algorithm)
        await io.stdout.write(lineOf(digest, name, algorithm, binary, given))
        // Flush now, because the next input may be the file that this output goes to.
        await io.stdout.flush()
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await warned(io, `${io.name}: ${name}: ${error.message}\n`)
        exitCode = 1
      }
    return exitCode
  },
}

/** The algorithm for `b2sum -l BITS`. */
function shortened(algorithm: Algorithm, text: string): Algorithm {
  const bits = Number(text)
  if (!/^\d+$/.test(text)) throw new Failed(`invalid length: ‘${text}’`)
  if (bits > BITS_MAX)
    throw new Failed(`invalid length: ‘${text}’\nb2sum: maximum digest length for ‘BLAKE2b’ is 512 bits`)
  if (bits % 8 !== 0) throw new Failed(`invalid length: ‘${text}’\nb2sum: length is not a multiple of 8`)
  if (bits === 0 || bits === BITS_MAX) return algorithm
  return { ...algorithm, tag: `BLAKE2b-${bits}`, length: bits / 4 }
}

function lineOf(digest: string, name: string, { tag }: Algorithm, binary: boolean, given: Parsed): string {
  const isEscaped = !given.has('-z') && /[\\\n\r]/.test(name)
  const shown = isEscaped
    ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : name
  const end = given.has('-z') ? '\0' : '\n'
  const mark = isEscaped ? '\\' : ''
  return given.has('--tag')
    ? `${mark}${tag} (${shown}) = ${digest}${end}`
    : `${mark}${digest} ${binary ? '*' : ' '}${shown}${end}`
}

export async function digestOf(reader: ByteReader, { name, length }: Algorithm): Promise<string> {
  if (name === 'blake2b') {
    const hash = blake2b.create({ dkLen: length / 2 })
    for (let chunk = await reader.read(); chunk; chunk = await reader.read()) hash.update(chunk)
    return Buffer.from(hash.digest()).toString('hex')
  }
  const hash = createHash(name)
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) hash.update(chunk)
  return hash.digest('hex')
}

interface Counts {
  wrongLines: number
  unreadable: number
  different: number
  good: number
  checked: number
}

async function check(io: CommandIo, given: Parsed, algorithm: Algorithm): Promise<number> {
  if (given.has('--tag')) throw new Failed('the --tag option is meaningless when verifying checksums')
  if (given.has('-b') || given.has('-t'))
    throw new Failed('the --binary and --text options are meaningless when verifying checksums')
  let exitCode = 0
  for (const list of given.operands.length === 0 ? ['-'] : given.operands) {
    const counts: Counts = { wrongLines: 0, unreadable: 0, different: 0, good: 0, checked: 0 }
    try {
      const reader = list === '-' ? io.stdin : await io.files.open(list)
      await checkList(io, reader, given, algorithm, counts, list)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await warned(io, `${io.name}: ${list}: ${error.message}\n`)
      exitCode = 1
      continue
    }
    const shown = list === '-' ? 'standard input' : list
    if (counts.checked === 0) {
      await warned(io, `${io.name}: ${shown}: no properly formatted checksum lines found\n`)
      exitCode = 1
      continue
    }
    if (!given.has('--status')) await warn(io, counts)
    if (given.has('--ignore-missing') && counts.good === 0) {
      if (!given.has('--status')) await warned(io, `${io.name}: ${shown}: no file was verified\n`)
      exitCode = 1
    }
    const isWrong =
      counts.different > 0 || counts.unreadable > 0 || (given.has('--strict') && counts.wrongLines > 0)
    if (isWrong) exitCode = 1
  }
  return exitCode
}

async function warn(io: CommandIo, { wrongLines, unreadable, different }: Counts): Promise<void> {
  const write = async (count: number, one: string, many: string): Promise<void> => {
    if (count > 0) await warned(io, `${io.name}: WARNING: ${count} ${count === 1 ? one : many}\n`)
  }
  await write(wrongLines, 'line is improperly formatted', 'lines are improperly formatted')
  await write(unreadable, 'listed file could not be read', 'listed files could not be read')
  await write(different, 'computed checksum did NOT match', 'computed checksums did NOT match')
}

async function checkList(
  io: CommandIo,
  reader: ByteReader,
  given: Parsed,
  algorithm: Algorithm,
  counts: Counts,
  list: string,
): Promise<void> {
  const isSilent = given.has('--status')
  let number = 0
  for await (const { lines } of readLines(reader, given.has('-z') ? 0 : 10))
    for (const line of lines) {
      number++
      if (line.startsWith('#') || line === '') continue
      const entry = entryOf(line, algorithm)
      if (!entry) {
        counts.wrongLines++
        if (given.has('-w'))
          await warned(
            io,
            `${io.name}: ${list}: ${number}: improperly formatted ${algorithm.tag} checksum line\n`,
          )
        continue
      }
      counts.checked++
      const { name } = entry
      const shown = /[\\\n\r]/.test(name)
        ? `\\${name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}`
        : name
      let digest: string
      try {
        digest = await digestOf(name === '-' ? io.stdin : await io.files.open(name), algorithm)
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        if (given.has('--ignore-missing') && error.message === 'No such file or directory') continue
        await warned(io, `${io.name}: ${name}: ${error.message}\n`)
        if (!isSilent) await io.stdout.write(`${shown}: FAILED open or read\n`)
        counts.unreadable++
        continue
      }
      if (digest === entry.digest) {
        counts.good++
        if (!isSilent && !given.has('--quiet')) await io.stdout.write(`${shown}: OK\n`)
      } else {
        counts.different++
        if (!isSilent) await io.stdout.write(`${shown}: FAILED\n`)
      }
    }
}

function entryOf(line: string, { tag, length }: Algorithm): { digest: string; name: string } | null {
  const text = line.replace(/^[ \t]+/, '')
  const escaped = text.startsWith('\\')
  const bare = escaped ? text.slice(1) : text
  const tagged = new RegExp(`^${tag} ?\\((.+)\\) ?= ?([\\da-fA-F]{${length}})$`, 's').exec(bare)
  const plain = new RegExp(`^([\\da-fA-F]{${length}})(?: [ *]| )(.+)$`, 's').exec(bare)
  const name = tagged?.[1] ?? plain?.[2]
  const digest = tagged?.[2] ?? plain?.[1]
  if (name === undefined || digest === undefined) return null
  const real = escaped
    ? name.replaceAll(/\\([\\nr])/g, (_, letter: string) =>
        letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\',
      )
    : name
  return { digest: digest.toLowerCase(), name: real }
}

/** Flush output before writing a message. */
async function warned(io: CommandIo, message: string): Promise<void> {
  await io.stdout.flush()
  await io.stderr.write(message)
}
