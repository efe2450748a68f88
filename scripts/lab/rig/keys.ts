// Keys of the servers for benchmarks and end-to-end tests, which run on loopback for minutes.

import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const ADMIN_KEY = 'an-admin-key-of-the-test-servers-alone'
export const ID_SECRET = 'an-id-secret-of-the-test-servers-alone'
export const ENCRYPTION_KEY = 'an-encryption-key-of-the-test-servers'
