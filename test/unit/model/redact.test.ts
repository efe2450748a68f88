// Promise 9: no error and no log line contains a secret.

import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/lib/redact.ts'
import { HANG_GUARD } from '../hang-guard.ts'

// Assembled here, so that no scanner of this repository takes an example for a leaked secret.
const fake = (...parts: string[]): string => parts.join('')

describe('redact', () => {
  it.each([
    ['an API key', fake('sk-', 'ant-api03-', 'AbCdEf0123456789-_xyz')],
    ['another API key', fake('sk-', 'proj-', 'AbCdEf0123456789')],
    ['a Satchel key', fake('sk_', 'default_k1a2b3c4_', 's3cr3ts3cr3ts3cr3t')],
    ['a key that npm start made', fake('satchel_', 'tb1kdwr1bfnrsngdmybc7f94rgd6p93r3k4ct7dk')],
    ['a webhook secret', fake('whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    ['a GitHub token', fake('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')],
    ['a fine-grained GitHub token', fake('github_pat_', '11ABCDEFG0abcdefghijkl_mnop')],
    ['a Slack token', fake('xoxb-', '1234567890-abcdefghij')],
    ['an AWS key id', fake('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a Google key', fake('AIza', 'SyA1234567890abcdefghijklmnopqrstu')],
    ['a JWT', fake('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxIn0.', 'c2lnbmF0dXJl')],
    ['a bearer token', fake('Bearer ', 'abc.def-ghi_123')],
    ['basic credentials', fake('Basic ', 'dXNlcjpwYXNzd29yZA==')],
    ['a key header', fake('x-api-key: ', 'plainlookingvalue')],
    ['an authorization header', fake('"authorization":"', 'tokenwithoutscheme"')],
    ['a field of a query', fake('?api_key=', 'abcdef123456&x=1')],
    ['a password in an address', fake('https://', 'user:hunter2hunter2@', 'host/path')],
    ['a private key', fake('-----BEGIN ', 'PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END ', 'PRIVATE KEY-----')],
    ['half a private key', fake('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEvQIBADAN')],
  ])('removes %s and keeps the words around it', (_, secret) => {
    const text = redact(`before ${secret} after`)
    expect(text).toContain('before')
    expect(text).toContain('[redacted]')
    const core = secret
      .split(/[\s:="/@&?,;]+/)
      .filter((part) => /[a-z0-9]{6}/i.test(part) && /\d|[A-Z]{4}/.test(part))
    for (const part of core) expect(text).not.toContain(part)
  })

  it('removes a known secret whatever it looks like', () => {
    expect(redact('the key is correct horse, yes', ['correct horse'])).toBe('the key is [redacted], yes')
  })

  it('removes the token as well as its scheme', () => {
    expect(redact('Authorization: Bearer abcdef123456')).not.toContain('abcdef')
  })

  it.each([
    'The Messages API responded with 401 authentication_error: invalid x-api-key (request req_011CSHoEeqs5C35K2UUqR7Fy).',
    'No thread th_0123456789abcdefghjkmnpq. Is the bearer of the key allowed to see it?',
    'Basic authentication is off; see "Basic Message Request" and Basic HTML/CSS.',
    'task_manager_long_name and disk_usage_report_2026 are skills; see https://host/path@v2.',
  ])('keeps ordinary words: %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  it.each(['-----BEGIN ', '//', 'secret=', 'eyJabcdef.', 'Bearer ', 'Basic ', 'basic aaaaaa'])(
    'ends with a megabyte of %s',
    HANG_GUARD,
    (text) => {
      expect(redact(text.repeat(1_000_000 / text.length))).not.toBe('')
    },
  )
})
