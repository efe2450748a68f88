// `cksum` and `sum`: print checksums.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import type { ByteReader } from '../io/reader.ts'
import { parseOptions } from '../options.ts'
import { ALGORITHMS, digestOf } from './digests.ts'

interface Sum {
  readonly value: number
  readonly bytes: number
}

const CKSUM_OPTIONS = [
  { flags: '-a --algorithm', value: 'required' },
  { flags: '--untagged' },
  { flags: '-l --length', value: 'required', refused: 'cksum without it' },
  { flags: '-c --check', refused: 'md5sum -c or sha256sum -c' },
  { flags: '--debug', refused: 'cksum without it' },
] as const

export const cksum: Command = {
  async run(io) {
    const given = parseOptions('cksum', io.args, CKSUM_OPTIONS)
    const wanted = given.value('-a') ?? 'crc'
    const algorithm = ALGORITHMS[wanted === 'blake2b' ? 'b2sum' : `${wanted}sum`]
    if (!algorithm && !['crc', 'bsd', 'sysv'].includes(wanted)) {
      if (wanted === 'sm3') throw new Unsupported(`cksum -a ${wanted}`, 'cksum -a sha256')
      throw new Failed(`invalid argument ‘${wanted}’ for ‘--algorithm’`)
    }
    if (wanted === 'bsd' || wanted === 'sysv') return sums(io, given.operands, wanted)
    let exitCode = 0
    for await (const { name, reader } of inputsOf(io, given.operands, () => (exitCode = 1))) {
      const shown = given.operands.length === 0 ? '' : name
      if (!algorithm) {
        const { value, bytes } = await crc(reader)
        await io.stdout.write(`${value} ${bytes}${shown === '' ? '' : ` ${shown}`}\n`)
        continue
      }
      if (/[\\\n\r]/.test(name))
        throw new Unsupported('cksum of a name with a backslash or line feed', 'another name')
      const digest = await digestOf(reader, algorithm)
      await io.stdout.write(
        given.has('--untagged') ? `${digest}  ${name}\n` : `${algorithm.tag} (${name}) = ${digest}\n`,
      )
    }
    return exitCode
  },
}

const SUM_OPTIONS = [{ flags: '-r' }, { flags: '-s --sysv' }] as const

export const sum: Command = {
  async run(io) {
    const given = parseOptions('sum', io.args, SUM_OPTIONS)
    return sums(io, given.operands, given.last('-r', '-s') === '-s' ? 'sysv' : 'bsd')
  },
}

async function sums(io: CommandIo, operands: readonly string[], kind: 'bsd' | 'sysv'): Promise<number> {
  let exitCode = 0
  for await (const { name, reader } of inputsOf(io, operands, () => (exitCode = 1))) {
    const { value, bytes } = await (kind === 'bsd' ? rotated(reader) : added(reader))
    const shown = operands.length === 0 ? '' : ` ${name}`
    await io.stdout.write(
      kind === 'bsd'
        ? `${String(value).padStart(5, '0')} ${String(Math.ceil(bytes / 1_024)).padStart(5)}${shown}\n`
        : `${value} ${Math.ceil(bytes / 512)}${shown}\n`,
    )
  }
  return exitCode
}

async function rotated(reader: ByteReader): Promise<Sum> {
  let value = 0
  let bytes = 0
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    bytes += chunk.length
    for (const byte of chunk) value = (((value >> 1) | ((value & 1) << 15)) + byte) & 0xffff
  }
  return { value, bytes }
}

async function added(reader: ByteReader): Promise<Sum> {
  let total = 0
  let bytes = 0
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    bytes += chunk.length
    for (const byte of chunk) total = (total + byte) % 2 ** 32
  }
  const folded = (total & 0xffff) + Math.floor(total / 65_536)
  return { value: (folded & 0xffff) + (folded >>> 16), bytes }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value >>> 0
})

/** The POSIX checksum, which includes the length after the bytes. */
async function crc(reader: ByteReader): Promise<Sum> {
  let value = 0
  let bytes = 0
  const add = (byte: number): void => {
    value = ((value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 255] ?? 0)) >>> 0
  }
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    bytes += chunk.length
    for (const byte of chunk) add(byte)
  }
  for (let left = bytes; left > 0; left = Math.floor(left / 256)) add(left % 256)
  return { value: ~value >>> 0, bytes }
}
