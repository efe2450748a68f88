// Guards the configuration of webhooks: a hook that cannot work is refused when it is created, and a hook ID names its
// workspace and nothing else.
import { describe, expect, it } from 'vitest'
import type { HookConfig } from '../../../src/webhooks/api.ts'
import { checkConfig } from '../../../src/webhooks/config.ts'
import { isGenuineHookId, newHookId, workspaceOf } from '../../../src/webhooks/hook-id.ts'
import { SCHEMES } from '../../../src/webhooks/schemes/verify.ts'
import type { HmacOptions, SchemeName } from '../../../src/webhooks/schemes/scheme.ts'
import { newSecret } from '../../../src/webhooks/schemes/secret.ts'
import { RUN_OPTIONS } from '../unattended/run-options.ts'
import { HMAC as SIGNED_HMAC } from './signers.ts'

const ID_SECRET = 'the-secret-of-ids-in-this-test-file'
const OF_ANOTHER_TEAM = await newHookId('team-b', ID_SECRET)

const CONFIG: HookConfig = {
  id: await newHookId('team-a', ID_SECRET),
  workspace: 'team-a',
  name: 'Issues',
  scheme: 'standard',
  signature: null,
  secret: newSecret(),
  template: '{{payload}}',
  filter: null,
  thread: 'each',
  on_busy: 'enqueue',
  keep_days: 7,
  reply: null,
  ...RUN_OPTIONS,
  created_at: '2026-11-21T00:00:00.000Z',
}

const HMAC: HmacOptions = { ...SIGNED_HMAC, signed: '{body}', timestamp: null, id: null }

/** Options with an ID, and with a time if the signed text has one. */
function signing(signed: string): HmacOptions {
  return { ...SIGNED_HMAC, signed, timestamp: signed.includes('{timestamp}') ? SIGNED_HMAC.timestamp : null }
}

describe('a configuration', () => {
  it('that works has no errors', () => {
    const schemes = Object.keys(SCHEMES) as SchemeName[] // the keys of this record are the names
    for (const scheme of schemes) {
      const signature = scheme === 'hmac' ? HMAC : null
      expect(checkConfig({ ...CONFIG, scheme, signature, secret: newSecret(scheme) })).toEqual([])
    }
  })

  it.each<[string, Partial<HookConfig>]>([
    ['id', { id: OF_ANOTHER_TEAM }],
    ['id', { id: 'hk_team-a_short' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: '\ud800' }],
    ['secret', { secret: '' }],
    ['secret', { secret: 'whsec_not base64' }],
    ['template', { template: '{{a..b}}' }],
    ['secret', { scheme: 'github', secret: 'short' }],
    ['secret', { scheme: 'github', secret: 'not ascii: \u00fc' }],
    ['secret', { scheme: 'basic', secret: 'without-a-colon' }],
    ['signature', { signature: HMAC }],
    ['signature', { scheme: 'hmac' }],
    ['signature', { scheme: 'hmac', signature: { ...HMAC, signed: '{timestamp}' } }],
    ['signature', { scheme: 'hmac', signature: { ...HMAC, signed: '{body}{body}' } }],
    ['signature', { scheme: 'hmac', signature: { ...HMAC, signed: '{secret}.{body}' } }],
    ['signature', { scheme: 'hmac', signature: { ...HMAC, signed: '{timestamp}.{body}' } }],
    [
      'signature',
      { scheme: 'hmac', signature: { ...HMAC, timestamp: { header: 'X-Time', tolerance_s: 60 } } },
    ],
    ['signature', { scheme: 'hmac', signature: { ...HMAC, signed: '{id}.{body}', id: { pointer: '/id' } } }],
    ...[
      '{id}{body}',
      '{id}-{body}',
      '{id}x.{body}',
      '{body}._{id}',
      '{body}.{timestamp}{id}',
      '{id}{timestamp}.{body}',
      '{timestamp}0.{id}.{body}',
      '{id}.{body}1{timestamp}',
    ].map((signed): [string, Partial<HookConfig>] => [
      'signature',
      { scheme: 'hmac', signature: signing(signed) },
    ]),
  ])('names the field %s when %o', (path, change) => {
    expect(checkConfig({ ...CONFIG, ...change }).map((error) => error.path)).toEqual([path])
  })

  it.each([
    'v1{id}:{timestamp}.{body}',
    '{timestamp}-{id}.{body}',
    '{timestamp}\n{body}.{id}',
    '{body}:{id}',
  ])('may sign %j', (signed) => {
    const signature = signing(signed)
    expect(checkConfig({ ...CONFIG, scheme: 'hmac', signature, secret: newSecret('hmac') })).toEqual([])
  })

  it('names every wrong field at once, and never shows the secret', () => {
    const errors = checkConfig({ ...CONFIG, name: '', secret: 'whsec_hunter2', template: '' })
    expect(errors.map((error) => error.path)).toEqual(['name', 'secret', 'template'])
    expect(JSON.stringify(errors)).not.toContain('hunter2')
  })
})

describe('a hook ID', () => {
  it.each(['default', 'a', 'a-b', '0', `a${'b'.repeat(39)}`])('of %s leads back to it', async (workspace) => {
    const id = await newHookId(workspace, ID_SECRET)
    expect(workspaceOf(id)).toBe(workspace)
    expect(await isGenuineHookId(id, [ID_SECRET])).toBe(true)
  })

  it('is new each time', async () => {
    expect(await newHookId('a', ID_SECRET)).not.toBe(await newHookId('a', ID_SECRET))
  })

  const token = '0123456789abcdefghjkmnpqrstvwxyz0123'
  it.each([
    '',
    'hk_',
    `hk_${token}`,
    `hk__${token}`,
    `hk_-a_${token}`,
    `hk_a-_${token}`,
    `hk_A_${token}`,
    `hk_a_b_${token}`,
    `hk_a/b_${token}`,
    `hk_a_${token}x`,
    `hk_a_${token.slice(1)}`,
    `hk_a_${token}\n`,
    `hk_a_${token.slice(1)}i`,
    `hk_a_${token.slice(1)}U`,
    `xx_a_${token}`,
    `hk_${'a'.repeat(41)}_${token}`,
  ])('%j is invalid', async (text) => {
    expect(workspaceOf(text)).toBeNull()
    expect(await isGenuineHookId(text, [ID_SECRET])).toBe(false)
  })
})
