// Guards "the host's work for a script is limited like the script's own": work that grows with an argument is charged while
// it is done, so that the job ends in the middle of it, and what cannot be interrupted is refused.

import { generateKeyPairSync } from 'node:crypto'

import { expect, test } from 'vitest'

import { nodeRun } from './node-calls.ts'

import type { Value } from '../../../src/sandbox/node/call/values.ts'

const MIB = 1_048_576
const large = new Uint8Array(24 * MIB)

/** Each would take many times the steps that the job has. */
const LONG: readonly (readonly [what: string, operation: string, ...args: readonly Value[]])[] = [
  ['one round for many blocks', 'pbkdf2', 'a', 'b', 1, 16 * MIB, 'sha256'],
  ['many rounds', 'pbkdf2', 'a', 'b', 2 ** 31 - 1, 32, 'sha3-512'],
  ['a long salt', 'pbkdf2', 'a', large, 1, 1_024, 'sha256'],
  ['a long password', 'pbkdf2', large, 'b', 1, 16, 'sha512'],
  ['scrypt with a small N and a large p', 'scrypt', 'a', 'b', 512, 1, 10_000, 16],
  ['scrypt with the smallest N', 'scrypt', 'a', 'b', 2, 1, 100_000, 16],
  ['scrypt with a large r', 'scrypt', 'a', 'b', 2, 60_000, 1, 16],
  ['a long result of scrypt', 'scrypt', 'a', 'b', 2, 1, 1, 16 * MIB],
  ['a long digest', 'hash', 'shake128', '', 16 * MIB],
  ['a digest of much data', 'hash', 'sha3-512', large, undefined],
  ['a long key', 'hmacNew', 'blake2s256', large],
  [
    'a long key of WebCrypto',
    'subtle',
    'deriveBits',
    '[{"name":"PBKDF2","salt":{"$bytes":""},"iterations":1,"hash":"SHA-256"},{"$key":1},134217728]',
    '',
    '',
  ],
  ['compression', 'zlib', 'Gzip', '{"level":9}', large],
]

test.each(LONG)('ends a job in the middle of %s', { timeout: 60_000 }, async (_, operation, ...args) => {
  const { run, call } = nodeRun({ steps: 2_000_000 })
  await call(
    'subtle',
    'importKey',
    '["raw","$data","PBKDF2",false,["deriveBits"]]',
    new Uint8Array(1),
    '',
  ).catch(() => {})
  await expect(call(String(operation), ...args)).rejects.toMatchObject({ reason: 'steps' })
  expect(run.meter.steps).toBeLessThan(8_000_000)
})

test('ends a job in the middle of a digest that was begun before', async () => {
  const { call } = nodeRun({ steps: 2_000_000 })
  const handle = await call('hashNew', 'shake256', 16 * MIB)
  await expect(call('hashDigest', handle)).rejects.toMatchObject({ reason: 'steps' })
})

test.each([
  ['pbkdf2', 'a', 'b', 1, 16 * MIB + 1, 'sha256'],
  ['pbkdf2', 'a', 'b', 1, Number.NaN, 'sha256'],
  ['pbkdf2', 'a', 'b', Number.NaN, 16, 'sha256'],
  ['scrypt', 'a', 'b', 2, 1, 1, 2 ** 31],
  ['hkdf', 'sha256', 'a', 'b', new Uint8Array(1_025), 16],
  ['hkdf', 'sha256', large, 'b', 'c', 16],
  ['hash', 'shake128', '', 150e6],
  ['hashNew', 'shake128', -1],
  ['hashNew', 'shake128', null],
  ['zlib', 'ZstdCompress', '{"params":{"100":22}}', 'a'],
  ['zlib', 'ZstdCompress', '{"params":{"100":"x"}}', 'a'],
  ['zlib', 'ZstdCompress', '{"params":{"107":9}}', 'a'],
  ['zlib', 'ZstdCompress', '{"params":{"102":30}}', 'a'],
  ['zlibNew', 'BrotliCompress', '{"params":{"6":true}}'],
  ['zlibNew', 'BrotliDecompress', '{"params":{"1":true}}'],
] as readonly (readonly [string, ...Value[]])[])('%s refuses %s %s %s', async (operation, ...args) => {
  expect(await nodeRun().call(String(operation), ...args)).toBe('ERR_OUT_OF_RANGE')
})

test.each([
  [3, 1, 1],
  [0, 1, 1],
  [2, 0.5, 1],
  [2, 1, Number.NaN],
  [2 ** 29, 8, 1],
])('scrypt refuses N=%s, r=%s, p=%s', async (N, r, p) => {
  expect(await nodeRun().call('scrypt', 'a', 'b', N, r, p, 16)).toBe('ERR_CRYPTO_INVALID_SCRYPT_PARAMS')
})

test.each([
  ['generateKey', '[{"name":"HMAC","hash":"SHA-256","length":8000000000},true,["sign"]]'],
  ['deriveKey', '[]'],
  ['digest', `["${'a'.repeat(200_000)}"]`],
])('WebCrypto does not do %s %.20s', async (operation, json) => {
  expect(await nodeRun().call('subtle', operation, json, '', '')).toMatch(
    /^(?:OperationError|NotSupportedError)$/,
  )
})

test.each(['dh', 'dsa', 'toString'])(
  'makes no keys of the type %s, whose parameters take minutes',
  async (type) => {
    expect(await nodeRun().call('keyPair', type, '{"primeLength":4096,"modulusLength":4096}')).toBe(
      'ERR_INVALID_ARG_VALUE',
    )
  },
)

const value = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, bytes.length), bytes])
}
const name = (hex: string): Uint8Array => value(6, Buffer.from(hex, 'hex'))

/** An encrypted key that asks for this many rounds of PBKDF2. Its content is not a key. */
function encryptedKey(...rounds: readonly number[]): Uint8Array {
  const salt = value(4, new Uint8Array(8))
  const pbkdf2 = value(0x30, name('2a864886f70d01050c'), value(0x30, salt, value(2, Uint8Array.from(rounds))))
  const aes = value(0x30, name('60864801650304012a'), value(4, new Uint8Array(16)))
  const parameters = value(0x30, name('2a864886f70d01050d'), value(0x30, pbkdf2, aes))
  return value(0x30, parameters, value(4, new Uint8Array(16)))
}

const pem = (der: Uint8Array): string =>
  `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${Buffer.from(der).toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`

test('reads an encrypted key only if it needs few rounds', async () => {
  const { call } = nodeRun()
  const read = async (key: string | Uint8Array, format: string): Promise<Value> =>
    call('keyNew', 'private', JSON.stringify({ format, type: 'pkcs8', passphrase: 'p' }), key)
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: 'p' },
  })
  expect(await read(Uint8Array.from(privateKey), 'der')).toContain('"type":"private"')
  expect(await read(pem(privateKey), 'pem')).toContain('"type":"private"')
  for (const key of [encryptedKey(0x7f, 255, 255, 255), encryptedKey(1, 0x86, 0xa1)]) {
    expect(await read(key, 'der')).toBe('ERR_OUT_OF_RANGE')
    expect(await read(pem(key), 'pem')).toBe('ERR_OUT_OF_RANGE')
    expect(await read(pem(key).replace('\n', '\nA: b\n'), 'pem')).toBe('ERR_OSSL_UNSUPPORTED')
    expect(await read(key.subarray(0, 20), 'der')).toBe('ERR_OSSL_UNSUPPORTED')
  }
})
