// Promise: a callback is sent only to URLs under an endpoint that an admin registered.

import { describe, expect, it } from 'vitest'

import { endpointOver, isUnder } from '../../../src/callbacks/is-under.ts'

const BASE = 'https://r.example.com/hooks'

describe('a URL', () => {
  it.each([
    BASE,
    `${BASE}/`,
    `${BASE}/a/b`,
    `${BASE}?x=1`,
    `${BASE}/../hooks/a`,
    'https://R.example.com:443/hooks',
  ])('%s is under the endpoint', (url) => {
    expect(isUnder(url, BASE)).toBe(true)
  })

  it.each([
    'https://r.example.com/hooksx',
    'https://r.example.com/',
    `${BASE}/../admin`,
    `${BASE}/%2e%2e/admin`,
    `${BASE}/..%2fadmin`,
    `${BASE}/..%5Cadmin`,
    'http://r.example.com/hooks',
    'https://r.example.com:8443/hooks',
    'https://r.example.com.evil.com/hooks',
    'https://r.example.com@evil.com/hooks',
    'https://user:pass@r.example.com/hooks',
    'hooks',
  ])('%s is not', (url) => {
    expect(isUnder(url, BASE)).toBe(false)
  })

  it('belongs to the endpoint with the longest URL', () => {
    const [root, deep] = [{ url: 'https://r.example.com/' }, { url: `${BASE}/deep/` }]
    expect(endpointOver(`${BASE}/deep/x`, [root, deep])).toBe(deep)
    expect(endpointOver(`${BASE}/deep`, [root, deep])).toBe(root)
    expect(endpointOver('https://other.example.com/', [root, deep])).toBeNull()
  })
})
