// The module node:crypto. A missing function throws an error that names an alternative.

import { Buffer } from '../base/buffer.ts'
import { coded, unavailable } from '../base/errors.ts'
import { requireFunction, requireInteger } from '../library/validate.ts'
import { later } from './bytes.ts'
import { CIPHER_NAMES, Cipheriv, Decipheriv, getCipherInfo } from './cipher.ts'
import { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from './derive.ts'
import { Hash, hash, HASHES, Hmac } from './hash.ts'
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  CURVE_NAMES,
  generateKeyPair,
  generateKeyPairSync,
  KeyObject,
} from './keys.ts'
import {
  getRandomValues,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  timingSafeEqual,
} from './random.ts'
import {
  diffieHellman,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  Sign,
  sign,
  Verify,
  verify,
} from './sign.ts'
import { CryptoKey, webCrypto } from './subtle.ts'

/** Missing functions, with alternatives. */
const ABSENT: Readonly<Record<string, string>> = {
  createDiffieHellman: "generateKeyPairSync('x25519') and diffieHellman",
  createDiffieHellmanGroup: "generateKeyPairSync('x25519') and diffieHellman",
  getDiffieHellman: "generateKeyPairSync('x25519') and diffieHellman",
  createECDH: "generateKeyPairSync('ec') and diffieHellman",
  checkPrime: 'BigInt in a loop',
  checkPrimeSync: 'BigInt in a loop',
  generatePrime: 'python3 with its module random',
  generatePrimeSync: 'python3 with its module random',
  X509Certificate: 'createPublicKey, which reads the key of a certificate',
  Certificate: 'createPublicKey',
}

const absent = Object.fromEntries(
  Object.entries(ABSENT).map(([name, instead]) => [
    name,
    function (): never {
      throw unavailable(`crypto.${name} is not available here: use ${instead}`)
    },
  ]),
)

interface SecretOptions {
  readonly length?: number
}

function generateKeySync(type: string, options: SecretOptions = {}): KeyObject {
  requireInteger(options.length, 'options.length', 8)
  if (type === 'aes' && ![128, 192, 256].includes(options.length))
    throw coded(
      new RangeError(
        `The property 'options.length' must be one of: 128, 192, 256. Received ${options.length}`,
      ),
      'ERR_INVALID_ARG_VALUE',
    )
  return createSecretKey(randomFillSync(Buffer.alloc(options.length >> 3)))
}

const constants = {
  RSA_PKCS1_PADDING: 1,
  RSA_NO_PADDING: 3,
  RSA_PKCS1_OAEP_PADDING: 4,
  RSA_X931_PADDING: 5,
  RSA_PKCS1_PSS_PADDING: 6,
  RSA_PSS_SALTLEN_DIGEST: -1,
  RSA_PSS_SALTLEN_MAX_SIGN: -2,
  RSA_PSS_SALTLEN_AUTO: -2,
  POINT_CONVERSION_COMPRESSED: 2,
  POINT_CONVERSION_UNCOMPRESSED: 4,
  POINT_CONVERSION_HYBRID: 6,
}

export const cryptoModule = {
  ...absent,
  Cipheriv,
  Decipheriv,
  Hash,
  Hmac,
  KeyObject,
  Sign,
  Verify,
  constants,
  createCipheriv: (...args: ConstructorParameters<typeof Cipheriv>) => new Cipheriv(...args),
  createDecipheriv: (...args: ConstructorParameters<typeof Decipheriv>) => new Decipheriv(...args),
  createHash: (...args: ConstructorParameters<typeof Hash>) => new Hash(...args),
  createHmac: (...args: ConstructorParameters<typeof Hmac>) => new Hmac(...args),
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign: (algorithm: unknown) => new Sign(algorithm),
  createVerify: (algorithm: unknown) => new Verify(algorithm),
  diffieHellman,
  generateKey: (type: string, options: SecretOptions, then: (error: unknown, key?: unknown) => void) => {
    requireFunction(then, 'callback')
    later(() => generateKeySync(type, options), then)
  },
  generateKeyPair,
  generateKeyPairSync,
  generateKeySync,
  getCipherInfo,
  getCiphers: () => [...CIPHER_NAMES],
  getCurves: () => [...CURVE_NAMES],
  getFips: () => 0,
  getHashes: () => [...HASHES],
  getRandomValues,
  hash,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  scrypt,
  scryptSync,
  sign,
  subtle: webCrypto.subtle,
  timingSafeEqual,
  verify,
  webcrypto: webCrypto,
}
export { CryptoKey, webCrypto }
