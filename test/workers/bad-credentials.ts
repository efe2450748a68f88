// Headers that must not authenticate, for tests of every route and of authentication.

import { ADMIN_KEY } from './api-fixture.ts'

export interface KnownKeys {
  readonly ann: string
  readonly revoked: string
  readonly other: string
}

const VALID = 'a'.repeat(40)

/** Headers that must not authenticate. */
export const BAD_CREDENTIALS: Readonly<Record<string, (keys: KnownKeys) => Record<string, string>>> = {
  'no header': () => ({}),
  'an empty header': () => ({ Authorization: '' }),
  'a scheme alone': () => ({ Authorization: 'Bearer' }),
  'another scheme': () => ({ Authorization: `Basic ${btoa(`admin:${ADMIN_KEY}`)}` }),
  'the bare key': () => ({ Authorization: ADMIN_KEY }),
  garbage: () => ({ Authorization: 'Bearer garbage' }),
  'a prefix of the key': () => ({ Authorization: `Bearer ${ADMIN_KEY.slice(0, -1)}` }),
  'the key twice': () => ({ Authorization: `Bearer ${ADMIN_KEY}, Bearer ${ADMIN_KEY}` }),
  'a tab in between': () => ({ Authorization: `Bearer\t${ADMIN_KEY}` }),
  'letters outside ASCII': () => ({ Authorization: 'Bearer schlüssel' }),
  'a token of 100 KB': () => ({ Authorization: `Bearer ${'a'.repeat(100_000)}` }),
  'an unknown key': () => ({ Authorization: `Bearer sk_default_${'k'.repeat(12)}_${VALID}` }),
  'a workspace with ..': () => ({ Authorization: `Bearer sk_../default_k_${VALID}` }),
  'a wrong secret': (keys) => ({
    Authorization: `Bearer ${keys.ann.slice(0, -1)}${keys.ann.endsWith('0') ? 1 : 0}`,
  }),
  'a key moved to another workspace': (keys) => ({
    Authorization: `Bearer ${keys.other.replace('sk_other_', 'sk_default_')}`,
  }),
  'a revoked key': (keys) => ({ Authorization: `Bearer ${keys.revoked}` }),
}
