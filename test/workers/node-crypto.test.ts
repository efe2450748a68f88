// Guards that digests, keys, ciphers, signatures and compression give a script the bytes and errors of Node 22, or an
// error that names an alternative.

import { expect, test } from 'vitest'

import { script } from './node-fixture.ts'

const CRYPTO: readonly (readonly [code: string, shown: string])[] = [
  ['c.createHash("sha512-256").update("a").digest("hex").slice(0, 16)', '455e518824bc0601'],
  ['c.createHash("sha3-256").update("a").digest("hex").slice(0, 16)', '80084bf2fba02475'],
  [
    'c.createHash("RSA-SHA256").update("a").copy().update("b").digest("base64url")',
    '-44g_C5MPySMYMOb1lLzwTRymLuXe4tNWQO4UFViBgM',
  ],
  ['c.createHash("shake128", { outputLength: 5 }).update("").digest("hex")', '7f9c2ba4e8'],
  [
    'c.createHmac("ripemd160", "key").update("data").digest("hex")',
    'ce21db67993ef780d55c61bde46dcf53ecf0e138',
  ],
  ['c.hash("blake2b512", "a").slice(0, 16)', '333fcb4ee1aa7c11'],
  [
    'c.createHash("sha256").update(Buffer.alloc(3e6, "abc")).update("x").digest("hex").slice(0, 16)',
    '1b95ae8bfe22f86b',
  ],
  ['c.createHash("nope")', ' Digest method not supported'],
  ['c.createHmac("nope", "k")', 'ERR_CRYPTO_INVALID_DIGEST Invalid digest: nope'],
  [
    'c.pbkdf2Sync("password", "salt", 1000, 20, "sha1").toString("hex")',
    '6e88be8bad7eae9d9e10aa061224034fed48d03f',
  ],
  [
    'c.pbkdf2Sync("password", "salt", 30001, 64, "sha512").toString("hex").slice(0, 32)',
    'cf0a5c8e3d1eb3e89543f1bd50b10c06',
  ],
  [
    'c.pbkdf2Sync("p", "s", 0, 8, "sha1")',
    'ERR_OUT_OF_RANGE The value of "iterations" is out of range. It must be >= 1 && <= 2147483647. Received 0',
  ],
  [
    'c.scryptSync("password", "NaCl", 16, { N: 1024, r: 8, p: 16 }).toString("hex")',
    'fdbabe1c9d3472007856e7190d01e9fe',
  ],
  ['c.scryptSync("pleaseletmein", "SodiumChloride", 16).toString("hex")', '7023bdcb3afd7348461c06cd81fd38eb'],
  [
    'c.scryptSync("a", "b", 8, { N: 65536 })',
    'ERR_CRYPTO_INVALID_SCRYPT_PARAMS Invalid scrypt params: error:030000AC:digital envelope routines::memory limit exceeded',
  ],
  ['Buffer.from(c.hkdfSync("sha256", "k", "s", "i", 10)).toString("hex")', '02b0929a9d46e9236e23'],
  [
    '(() => { const x = c.createCipheriv("aes-256-cbc", k(32), k(16)); return x.update("the quick brown fox", "utf8", "base64") + x.final("base64") })()',
    'ygFAQEPUl66zEeGWPNUVfB3Y5WbQJ2sQ97IxtQJO9Fs=',
  ],
  [
    '(() => { const x = c.createCipheriv("aes-128-gcm", k(16), k(12)); x.setAAD(k(3)); return x.update("hi", "utf8", "hex") + x.final("hex") + x.getAuthTag().toString("hex") })()',
    '0a201962da31a64dc50ea643b7d71c26c2cc',
  ],
  [
    '(() => { const x = c.createDecipheriv("aes-128-gcm", k(16), k(12)); x.setAuthTag(k(16)); x.update("aa", "hex"); return x.final() })()',
    ' Unsupported state or unable to authenticate data',
  ],
  [
    '(() => { const x = c.createDecipheriv("aes-192-cbc", k(24), k(16)); x.update(k(16)); return x.final() })()',
    'ERR_OSSL_BAD_DECRYPT error:1C800064:Provider routines::bad decrypt',
  ],
  [
    '(() => { const x = c.createDecipheriv("aes-192-cbc", k(24), k(16)); x.update(k(15)); return x.final() })()',
    'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH error:1C80006B:Provider routines::wrong final block length',
  ],
  ['c.createCipheriv("aes-256-ctr", k(32), k(16)).update("hello").toString("hex")', 'c0158e3196'],
  ['c.createCipheriv("aes-256-cbc", k(31), k(16))', 'ERR_CRYPTO_INVALID_KEYLEN Invalid key length'],
  ['c.createCipheriv("aes-256-cbc", k(32), k(12))', 'ERR_CRYPTO_INVALID_IV Invalid initialization vector'],
  ['c.createCipheriv("nope", k(32), k(12))', 'ERR_CRYPTO_UNKNOWN_CIPHER Unknown cipher'],
  [
    'c.sign(null, k(3), c.createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: k(32).toString("base64url"), x: "6kptb6x-xnYN7hpJUmVrnXiyUCzaXXpQRbivKYQHyOQ" }, format: "jwk" })).toString("hex").slice(0, 32)',
    '6b9f8375f661fd39f05df58aa502cc6a',
  ],
  [
    '(() => { const { publicKey, privateKey } = c.generateKeyPairSync("ec", { namedCurve: "P-256", publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } }); const s = c.createSign("SHA256").update("a").sign(privateKey); return [c.createVerify("SHA256").update("a").verify(publicKey, s), c.createVerify("SHA256").update("b").verify(publicKey, s)] })()',
    'true,false',
  ],
  [
    '(() => { const { publicKey, privateKey } = c.generateKeyPairSync("rsa", { modulusLength: 1024 }); const e = c.publicEncrypt({ key: publicKey, oaepHash: "sha256" }, Buffer.from("hi")); return c.privateDecrypt({ key: privateKey, oaepHash: "sha256" }, e) + c.verify("sha256", k(1), publicKey, c.sign("sha256", k(1), privateKey)) })()',
    'hitrue',
  ],
  ['c.createPrivateKey("x")', 'ERR_OSSL_UNSUPPORTED error:1E08010C:DECODER routines::unsupported'],
  [
    'c.subtle.importKey("raw", k(16), "AES-GCM", false, ["encrypt"]).then((y) => c.subtle.encrypt({ name: "AES-GCM", iv: k(12) }, y, Buffer.from("hi"))).then((b) => Buffer.from(b).toString("hex"))',
    '0a209e17cb947f512203f4db560785340c91',
  ],
  [
    'c.subtle.importKey("raw", k(16), "AES-GCM", false, ["decrypt"]).then((y) => c.subtle.decrypt({ name: "AES-GCM", iv: k(12) }, y, k(20)))',
    '0 The operation failed for an operation-specific reason',
  ],
  [
    'c.subtle.importKey("raw", Buffer.from("p"), "PBKDF2", false, ["deriveBits"]).then((y) => c.subtle.deriveBits({ name: "PBKDF2", salt: k(8), iterations: 30001, hash: "SHA-512" }, y, 128)).then((b) => Buffer.from(b).toString("hex"))',
    '647b3b83854a1af56bc0e36ee0e0afce',
  ],
]

const ZLIB: readonly (readonly [code: string, shown: string])[] = [
  [
    'z.gunzipSync(Buffer.concat([z.gzipSync("one "), z.gzipSync("two ")])) + z.unzipSync(z.deflateSync("three"))',
    'one two three',
  ],
  [
    'z.gzipSync("hello hello hello", { level: 9 }).toString("hex")',
    '1f8b0800000000000203cb48cdc9c957c84090008088f9e511000000',
  ],
  ['z.deflateRawSync("a".repeat(99)).toString("base64")', 'S0ykOQAA'],
  [
    'z.brotliCompressSync("hello hello hello").toString("hex") + z.brotliDecompressSync(z.brotliCompressSync("x"))',
    '1b1000f88d946ede445586966c206f014f1c601cx',
  ],
  [
    'z.zstdCompressSync("hello").toString("hex") + z.zstdDecompressSync(z.zstdCompressSync("x"))',
    '28b52ffd200529000068656c6c6fx',
  ],
  [
    'z.crc32("hello") + z.inflateSync(z.deflateSync("ab", { dictionary: Buffer.from("abc") }), { dictionary: Buffer.from("abc") })',
    '907060870ab',
  ],
  ['z.gunzipSync(z.gzipSync("abc").subarray(0, 15), { finishFlush: z.constants.Z_SYNC_FLUSH })', 'abc'],
  ['z.gunzipSync("abc")', 'Z_DATA_ERROR incorrect header check'],
  ['z.gunzipSync(z.gzipSync("abcdef").subarray(0, 12))', 'Z_BUF_ERROR unexpected end of file'],
  ['z.inflateSync(z.gzipSync("a"))', 'Z_DATA_ERROR incorrect header check'],
  [
    'z.gunzipSync(z.gzipSync("a".repeat(99)), { maxOutputLength: 10 })',
    'ERR_BUFFER_TOO_LARGE Cannot create a Buffer larger than 10 bytes',
  ],
  [
    'z.gzipSync("a", { level: 99 })',
    'ERR_OUT_OF_RANGE The value of "options.level" is out of range. It must be >= -1 and <= 9. Received 99',
  ],
  ['z.brotliDecompressSync("abcdefgh")', 'ERR__ERROR_FORMAT_PADDING_1 Decompression failed'],
]

/** The output of `code` as text. An error is printed as code and message. */
async function result(code: string): Promise<string> {
  const { stdout, stderr } = await script(
    `const c = require("crypto"), z = require("zlib"), k = (n) => Buffer.alloc(n, 7);
    (async () => { try { return await (async () => (${code}))() } catch (e) { return [e.code, e.message].join(' ') } })().then((r) => console.log(String(r)))`,
  )
  expect(stderr).toBe('')
  return stdout.slice(0, -1)
}

test.each([...CRYPTO, ...ZLIB])('%s', async (code, shown) => {
  expect(await result(code)).toBe(shown)
})

test.each([
  ['c.createECDH("P-256")', /use generateKeyPairSync\('ec'\)/],
  ['c.createCipheriv("aes-256-ccm", k(32), k(12))', /not available here: use aes-256-gcm/],
  ['c.generateKeyPairSync("rsa", { modulusLength: 4096 })', /up to 2048 bits here/],
  [
    'c.scryptSync("a", "b", 8, { N: 2 ** 17, maxmem: 2 ** 30 })',
    /needs \d+ bytes of memory, .* use a smaller N/,
  ],
  ['z.brotliCompressSync(Buffer.alloc(100_000, "ab"))', /BROTLI_PARAM_QUALITY/],
  [
    'z.gunzipSync(Buffer.concat(Array(30).fill(z.gzipSync(Buffer.alloc(1e6)))))',
    /Cannot create a Buffer larger than/,
  ],
])('%s says what to use', async (code, message) => {
  expect(await result(code)).toMatch(message)
})

test('compression and decompression work as streams, also in pieces', async () => {
  const { stdout } = await script(`
    const { pipeline } = require('stream/promises'), z = require('zlib'), fs = require('fs')
    const text = 'line of text\\n'.repeat(20_000)
    fs.writeFileSync('a', text);
    (async () => {
      for (const [pack, unpack] of [['Gzip', 'Gunzip'], ['Deflate', 'Inflate'], ['BrotliCompress', 'BrotliDecompress'], ['ZstdCompress', 'ZstdDecompress']]) {
        await pipeline(fs.createReadStream('a'), z['create' + pack](pack[0] === 'B' ? { params: { [z.constants.BROTLI_PARAM_QUALITY]: 5 } } : {}), fs.createWriteStream('b'))
        await pipeline(fs.createReadStream('b', { highWaterMark: 10 }), z['create' + unpack](), fs.createWriteStream('c'))
        console.log(pack, fs.statSync('b').size < 2000, fs.readFileSync('c', 'utf8') === text)
      }
      await pipeline(fs.createReadStream('a'), z.createGunzip(), fs.createWriteStream('c')).catch((e) => console.log(e.code))
    })()`)
  expect(stdout).toBe(
    'Gzip true true\nDeflate true true\nBrotliCompress true true\nZstdCompress true true\nZ_DATA_ERROR\n',
  )
})
