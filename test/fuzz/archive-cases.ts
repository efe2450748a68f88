// Generates hostile archives: valid ones with changed bytes, and one generator for each check.

import { gunzipSync, gzipSync } from 'fflate'
import { joinBytes } from '../../src/lib/bytes.ts'
import {
  longName,
  pax,
  tarGzOf,
  tarMember,
  zipOf,
  type TarMember,
  type ZipMember,
} from '../unit/skills/package/archive-bytes.ts'
import { bitWriter, emptyDynamicBlock } from '../unit/skills/package/deflate-bits.ts'

export interface Case {
  readonly kind: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly must: 'refused' | 'kept' | 'any'
}

export interface Random {
  /** An integer from 0 to less than `limit`. */
  below(limit: number): number
  /** One of the given values. */
  of<T>(first: T, ...others: readonly T[]): T
  bytes(count: number): Uint8Array<ArrayBuffer>
}

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (value ^ (value >>> 14)) >>> 0
  }
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    of: (first, ...others) => [first, ...others][below(others.length + 1)] ?? first,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 255),
  }
}

const BAD_NAMES: readonly string[] = [
  '../x a/../../x /x //h/s/x C:x C:\\x a\\b a:b a//b a/./b .. a/.. %2e%2e/x a%2fb a./b \u2024\u2024/x'.split(
    ' ',
  ),
  ['', ' a', 'a ', 'a\0b', 'a\u001Bb', 'a\u202Eb', 'a\u200Bb', `${'d/'.repeat(30)}x`, 'n'.repeat(300)],
].flat()

function goodName(random: Random): string {
  const part = (): string => random.of('a', 'references', 'ünï', 'x.md', '.gitignore', 'b-2', '(c)', '名前')
  const depth = random.below(4)
  return [...Array.from({ length: depth }, part), `f${random.below(1_000_000)}`].join('/')
}

function content(random: Random): Uint8Array<ArrayBuffer> {
  const size = random.of(0, 1, 5, 600, 5_000)
  return random.of(0, 1) === 0 ? random.bytes(size) : new Uint8Array(size).fill(97)
}

function zipMembers(random: Random): ZipMember[] {
  const others = Array.from({ length: random.below(5) }, () => ({
    name: goodName(random),
    content: content(random),
    method: random.of(0, 8),
    ...(random.below(3) === 0 ? { flags: 0x808, behind: random.of('signed' as const, 'bare' as const) } : {}),
  }))
  return [{ name: 'SKILL.md', content: 'Text.' }, ...others]
}

function tarMembers(random: Random): (TarMember | Uint8Array)[] {
  const others = Array.from({ length: random.below(5) }, () => {
    const name = goodName(random)
    return random.of(
      [{ name, content: content(random) }],
      [pax({ path: name, mtime: '1.25' }), { name: 'short', content: content(random) }],
      [longName(name), { name: 'short', content: content(random), magic: 'ustar  \0' }],
    )
  })
  return [{ name: 'SKILL.md', content: 'Text.' }, ...others.flat()]
}

function mutated(random: Random, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let out = bytes.slice()
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(out.length + 1)
    const until = Math.min(out.length, at + 1 + random.below(40))
    const how = random.below(6)
    if (how <= 1 && at < out.length) out[at] = random.of(0, 1, 255, random.below(256))
    else if (how === 2)
      out = joinBytes([out.subarray(0, at), random.bytes(random.below(30)), out.subarray(at)])
    else if (how === 3) out = joinBytes([out.subarray(0, at), out.subarray(until)])
    else if (how === 4) out = joinBytes([out.subarray(0, until), out.subarray(at)])
    else out = out.slice(0, at)
  }
  return out
}

/** Damages the tar inside an intact gzip. */
function mutatedTar(random: Random): Uint8Array<ArrayBuffer> {
  return gzipSync(mutated(random, gunzipSync(tarGzOf(tarMembers(random)))), { mtime: 0, level: 1 })
}

const LIES = ['crc', 'packed', 'size', 'flags', 'method', 'name', 'offset', 'disk'] as const

function lyingZip(random: Random): Uint8Array<ArrayBuffer> {
  const members = zipMembers(random)
  const faultTarget = random.below(members.length)
  const reported = { [random.of(...LIES)]: random.of(0, 1, 7, 99, 65_535, 0xffffffff, random.below(2 ** 31)) }
  const lie = random.of<object>({ local: reported }, { central: reported }, reported)
  return zipOf(members.map((member, at) => (at === faultTarget ? { ...member, ...clean(lie) } : member)))
}

/** Keeps names text. */
function clean(lie: object): object {
  return JSON.parse(
    JSON.stringify(lie, (key, value: unknown) => (key === 'name' ? `n${String(value)}` : value)),
  )
}

// Created once, because compressing them is expensive.
const PACKED_ZEROS = [1_000_000, 9_000_000].map((size) =>
  gzipSync(new Uint8Array(size), { level: 9 }).slice(10, -8),
)
const TAR_BOMB = gzipSync(
  joinBytes([tarMember({ name: 'SKILL.md', content: 'Text.' }), new Uint8Array(50_000_000)]),
  { level: 9, mtime: 0 },
)
const TABLES = (() => {
  const bits = bitWriter()
  // Eight of them fill whole bytes.
  for (let block = 0; block < 8; block++) emptyDynamicBlock(bits)
  return bits.bytes()
})()

function zipBomb(random: Random): Uint8Array<ArrayBuffer> {
  const raw = PACKED_ZEROS[random.below(PACKED_ZEROS.length)] ?? new Uint8Array()
  return zipOf([{ name: 'SKILL.md', content: 'Text.', size: random.of(5, 5_000, 999_999, 8_388_609), raw }])
}

function tarBomb(random: Random): Uint8Array<ArrayBuffer> {
  const says = random.of(null, [0, 0, 0, 0], [0, 64, 0, 0], [0, 0, 4, 0])
  const bytes = TAR_BOMB.slice()
  if (says) bytes.set(says, bytes.length - 4)
  return bytes
}

/** Blocks that cost two tables each and contain nothing. */
function burner(random: Random): Uint8Array<ArrayBuffer> {
  const raw = joinBytes(Array.from({ length: 20 + random.below(2_000) }, () => TABLES))
  if (random.of(0, 1) === 0) return zipOf([{ name: 'SKILL.md', content: 'x', raw }])
  return joinBytes([Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3), raw, new Uint8Array(8)])
}

type Make = (random: Random) => Case

const zipWith = (random: Random, member: ZipMember): Uint8Array<ArrayBuffer> =>
  zipOf([...zipMembers(random), member])
const tarWith = (random: Random, ...members: (TarMember | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  tarGzOf([...tarMembers(random), ...members])

const refusedZip = (kind: string, member: (random: Random) => ZipMember): Make => {
  return (random) => ({ kind, bytes: zipWith(random, member(random)), must: 'refused' })
}
const refusedTar = (kind: string, members: (random: Random) => (TarMember | Uint8Array)[]): Make => {
  return (random) => ({ kind, bytes: tarWith(random, ...members(random)), must: 'refused' })
}
const badName = (random: Random): string => random.of('../x', ...BAD_NAMES)

const MAKERS: readonly Make[] = [
  (random) => ({ kind: 'good zip', bytes: zipOf(zipMembers(random)), must: 'kept' }),
  (random) => ({ kind: 'good tar', bytes: tarGzOf(tarMembers(random)), must: 'kept' }),
  (random) => ({ kind: 'changed zip', bytes: mutated(random, zipOf(zipMembers(random))), must: 'any' }),
  (random) => ({ kind: 'changed zip', bytes: mutated(random, zipOf(zipMembers(random))), must: 'any' }),
  (random) => ({ kind: 'changed gzip', bytes: mutated(random, tarGzOf(tarMembers(random))), must: 'any' }),
  (random) => ({ kind: 'changed tar', bytes: mutatedTar(random), must: 'any' }),
  (random) => ({ kind: 'changed tar', bytes: mutatedTar(random), must: 'any' }),
  (random) => ({ kind: 'lying zip', bytes: lyingZip(random), must: 'any' }),
  (random) => ({ kind: 'noise', bytes: random.bytes(random.below(2_000)), must: 'refused' }),
  (random) => ({
    kind: 'noise behind magic',
    bytes: joinBytes([
      random.of(Uint8Array.of(0x50, 0x4b, 3, 4), Uint8Array.of(0x1f, 0x8b, 8, 0)),
      random.bytes(500),
    ]),
    must: 'refused',
  }),
  refusedZip('zip name', (random) => ({ name: badName(random), content: content(random) })),
  refusedTar('pax name', (random) => [pax({ path: badName(random) }), { name: 'x' }]),
  // The name ends at a NUL.
  refusedTar('gnu name', (random) => [longName(badName(random).replace('\0', '../')), { name: 'x' }]),
  refusedZip('zip link or device', (random) => ({
    name: 'x',
    mode: random.of(0o120777, 0o020666, 0o060666, 0o010666, 0o140777, 0o104755),
  })),
  refusedTar('tar link or device', (random) => [
    { name: 'x', kind: random.of('1', '2', '3', '4', '6'), link: '/etc/passwd' },
  ]),
  refusedZip('zip clash', (random) => ({
    name: random.of('SKILL.md', 'skill.md', 'SKILL.MD', './SKILL.md', 'SKILL.md/x'),
  })),
  refusedTar('tar clash', (random) => [{ name: random.of('SKILL.md', 'skill.md', 'SKILL.md/x') }]),
  refusedZip('encrypted or unknown method', (random) => ({
    name: 'x',
    content: 'x',
    ...random.of(
      { flags: 0x801 },
      { flags: 0x840 },
      { method: 1 + random.below(7) },
      { method: 9 + random.below(90) },
    ),
  })),
  (random) => ({ kind: 'zip bomb', bytes: zipBomb(random), must: 'refused' }),
  (random) => ({ kind: 'tar bomb', bytes: tarBomb(random), must: 'refused' }),
  (random) => ({ kind: 'time burner', bytes: burner(random), must: 'refused' }),
  (random) => ({
    kind: 'two archives',
    bytes: joinBytes([
      zipOf(zipMembers(random)),
      random.of(zipOf(zipMembers(random)), tarGzOf(tarMembers(random))),
    ]),
    must: 'refused',
  }),
  (random) => ({
    kind: 'hidden in a comment',
    bytes: zipOf(zipMembers(random), { comment: zipOf(zipMembers(random)) }),
    must: 'refused',
  }),
  (random) => ({
    kind: 'two gzip streams',
    bytes: joinBytes([tarGzOf(tarMembers(random), random.below(3)), tarGzOf(tarMembers(random))]),
    must: 'refused',
  }),
  (random) => ({
    kind: 'behind the end of the tar',
    bytes: tarGzOf([...tarMembers(random), new Uint8Array(1024), tarMember({ name: 'SKILL.md' })]),
    must: 'refused',
  }),
]

export function hostileArchive(random: Random): Case {
  const make = MAKERS[random.below(MAKERS.length)]
  if (!make) throw new Error('no such maker')
  return make(random)
}
