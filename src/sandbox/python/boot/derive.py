# Keys from passwords, which CPython has only with OpenSSL: PBKDF2 here, and the slow part of scrypt by the host (scrypt.ts).
import hashlib
import json


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as pseudorandom function."""
    if not isinstance(hash_name, str):
        raise TypeError(f"argument 'hash_name' must be str, not {type(hash_name).__name__}")
    password, salt = bytes(memoryview(password)), bytes(memoryview(salt))
    inner, outer = hashlib.new(hash_name), hashlib.new(hash_name)
    if dklen is None:
        dklen = outer.digest_size
    if iterations < 1:
        raise ValueError('iteration value must be greater than 0.')
    if dklen < 1:
        raise ValueError('key length must be greater than 0.')
    block_size = inner.block_size
    if len(password) > block_size:
        password = hashlib.new(hash_name, password).digest()
    password = password.ljust(block_size, b'\0')
    inner.update(bytes(byte ^ 0x36 for byte in password))
    outer.update(bytes(byte ^ 0x5C for byte in password))
    copy_inner, copy_outer, number = inner.copy, outer.copy, int.from_bytes

    def keyed(message):
        first, second = copy_inner(), copy_outer()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    key, block = b'', 0
    while len(key) < dklen:
        block += 1
        last = keyed(salt + block.to_bytes(4))
        total = number(last)
        for _ in range(iterations - 1):
            last = keyed(last)
            total ^= number(last)
        key += total.to_bytes(outer.digest_size)
    return key[:dklen]


def mixed(blocks, n, r):
    """The blocks after scrypt's mixing."""
    read_end, write_end = os.pipe()
    try:
        for at in range(0, len(blocks), 1 << 20):
            os.write(write_end, blocks[at:at + (1 << 20)])
        failed = ask(f' scrypt {json.dumps([read_end, write_end, n, r])}')
        if failed:
            raise MemoryError(f'scrypt with n={n} and r={r} needs more memory than is free: use a smaller n')
        found = b''
        while len(found) < len(blocks):
            found += os.read(read_end, len(blocks))
        return found
    finally:
        os.close(read_end)
        os.close(write_end)


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    """scrypt password-based key derivation function."""
    if n < 2 or n & (n - 1):
        raise ValueError('n must be a power of 2.')
    if r < 1 or p < 1 or r * p >= 1 << 30:
        raise ValueError('Invalid parameter combination for n, r, p, maxmem.')
    if not 0 < dklen < 1 << 31:
        raise ValueError('dklen must be greater than 0 and smaller than 2147483647')
    if 128 * r * (n + p + 2) > (maxmem or 32 << 20):
        raise ValueError('memory limit exceeded')
    blocks = pbkdf2_hmac('sha256', password, salt, 1, 128 * r * p)
    return pbkdf2_hmac('sha256', password, mixed(blocks, n, r), 1, dklen)


for function in (pbkdf2_hmac, scrypt):
    function.__module__ = 'hashlib'
    setattr(hashlib, function.__name__, function)
