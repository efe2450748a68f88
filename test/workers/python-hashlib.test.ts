// Guards keys from passwords: Python has them although it has no OpenSSL, and they end with the script's time.

import { describe, expect, test } from 'vitest'

import { python } from './python-fixture.ts'

/** A timeout for a test that never ends. */
const NEVER_MS = 60_000

describe('hashlib', { timeout: NEVER_MS }, () => {
  test.each([
    [
      'has pbkdf2_hmac',
      `import hashlib
print(hashlib.pbkdf2_hmac('sha1', b'password', b'salt', 4096).hex())
print(hashlib.pbkdf2_hmac('sha512', b'p' * 200, b's', 2, 70).hex()[-8:])
try: hashlib.pbkdf2_hmac('sha1', b'', b'', 0)
except ValueError as error: print(error)
try: hashlib.pbkdf2_hmac('none', b'', b'', 1)
except ValueError as error: print(error)`,
      '4b007901b765489abead49d926f721d065a429c1\n' +
        'b74d6a42\n' +
        'iteration value must be greater than 0.\nunsupported hash type none\n',
    ],
    [
      'has scrypt',
      `import hashlib
print(hashlib.scrypt(b'', salt=b'', n=16, r=1, p=1).hex()[:16])
print(hashlib.scrypt(b'password', salt=b'NaCl', n=1024, r=8, p=16, dklen=16).hex())
print(hashlib.scrypt(b'pleaseletmein', salt=b'SodiumChloride', n=16384, r=8, p=1, maxmem=1 << 26).hex()[:16])
for n in (3, 1 << 20):
    try: hashlib.scrypt(b'', salt=b'', n=n, r=8, p=1)
    except ValueError as error: print(error)
try: hashlib.scrypt(b'', salt=b'', n=1 << 20, r=8, p=1, maxmem=1 << 31)
except MemoryError as error: print(error)`,
      '77d6576238657b20\nfdbabe1c9d3472007856e7190d01e9fe\n7023bdcb3afd7348\nn must be a power of 2.\nmemory limit exceeded\n' +
        'scrypt with n=1048576 and r=8 needs more memory than is free: use a smaller n\n',
    ],
    [
      'has every digest that CPython guarantees',
      `import hashlib
print(sorted(name for name in hashlib.algorithms_guaranteed if not hashlib.new(name)), hashlib.new('sha3_256', b'a').hexdigest()[:8])`,
      '[] 80084bf2\n',
    ],
  ])('%s', async (_, code, expected) => {
    const { stdout, stderr } = await python(code)
    expect([stdout, stderr]).toEqual([expected, ''])
  })

  test.each([
    ['pbkdf2_hmac', `hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)`],
    ['scrypt', `[hashlib.scrypt(b'', salt=b'', n=16384, r=8, p=1, maxmem=1 << 26) for _ in range(10**6)]`],
  ])('ends with its time: %s', async (_, work) => {
    const { stopped, exitCode } = await python(`import hashlib\n${work}`, { limits: { wallMs: 600 } })
    expect([stopped, exitCode]).toEqual(['time', 124])
  })
})
