// Guards "a delivery is genuine only if its sender signed it": for each scheme exactly what the sender's library makes is
// accepted, and nothing else.

import { describe, expect, it } from 'vitest'
import { seededChance } from '../../../scripts/lab/rig/random.ts'
import { utf8 } from '../../../src/lib/bytes.ts'
import { contentOf } from '../../../src/webhooks/schemes/content.ts'
import type { SchemeName, Verified } from '../../../src/webhooks/schemes/scheme.ts'
import { signDelivery } from '../../../src/webhooks/schemes/sign.ts'
import { SCHEMES } from '../../../src/webhooks/schemes/verify.ts'
import { SEED } from '../../fuzz/seed.ts'
import { HMAC, SECRETS, sign, type Sent } from './signers.ts'
import { pick, PROOFS, wrongDelivery } from './wrong-deliveries.ts'

const NOW = 1_764_345_600_000
const DATA = { title: 'Disk full', text: 'Ünïcode ✓' }
const NAMES = Object.keys(SCHEMES) as SchemeName[] // the keys of this record are the names

interface With {
  readonly now?: number
  readonly secrets?: readonly string[]
}

/** What a hook with this scheme makes of a delivery; null if it is refused. */
async function verified(scheme: SchemeName, sent: Sent, change: With = {}): Promise<Verified | null> {
  const { now = NOW, secrets = [SECRETS[scheme]] } = change
  const delivery = { headers: sent.headers, body: utf8(sent.body), now }
  const result = await SCHEMES[scheme](secrets, delivery, scheme === 'hmac' ? HMAC : null)
  return result.ok ? result.value : null
}

const TIMED: readonly SchemeName[] = ['standard', 'slack', 'stripe', 'linear', 'hmac']
const BODY_SIGNED = NAMES.filter((name) => !['gitlab', 'bearer', 'basic'].includes(name))
const ID_SIGNED: readonly SchemeName[] = ['standard', 'slack', 'stripe', 'pagerduty', 'hmac']

describe.each(NAMES)('%s', (scheme) => {
  const sent = sign(scheme, DATA, NOW)
  const withHeader = (name: string, value: string): Sent => ({
    ...sent,
    headers: { ...sent.headers, [name]: value },
  })

  it('accepts a delivery of its sender, and knows its ID and whether that is signed', async () => {
    const id = ['bearer', 'basic'].includes(scheme)
      ? null
      : { value: 'd-1', signed: ID_SIGNED.includes(scheme) }
    expect(await verified(scheme, sent)).toEqual({ id, handshake: null })
  })

  it('accepts the replaced secret and the new one, and no third one', async () => {
    const secret = SECRETS[scheme]
    const [other, third] =
      scheme === 'standard' ? [btoa('x'.repeat(24)), btoa('y'.repeat(24))] : ['ab:cdefghi', 'ij:klmnopq']
    const wrong = scheme === 'standard' ? [`whsec_${other}`, `whsec_${third}`] : [other, third]
    expect(await verified(scheme, sent, { secrets: [wrong[0] ?? '', secret] })).not.toBeNull()
    expect(await verified(scheme, sent, { secrets: [secret, wrong[0] ?? ''] })).not.toBeNull()
    expect(await verified(scheme, sent, { secrets: wrong })).toBeNull()
  })

  it.each(PROOFS[scheme])('needs %s, once and unchanged', async (name) => {
    const { [name]: value = '', ...others } = sent.headers
    expect(await verified(scheme, { ...sent, headers: others })).toBeNull()
    for (const wrong of [
      '',
      `,${value}`,
      `${value}, ${value}`,
      `${value}x`,
      value.slice(0, -1),
      `${value}\u00e9`,
    ])
      expect(await verified(scheme, withHeader(name, wrong)), wrong).toBeNull()
    const doubled = { ...sent, headers: { ...sent.headers, [name.toUpperCase()]: value } }
    expect(await verified(scheme, doubled)).toBeNull()
    const renamed = { ...sent, headers: { ...others, [name.toUpperCase()]: value } }
    expect(await verified(scheme, renamed)).not.toBeNull()
  })

  it.runIf(TIMED.includes(scheme))('refuses an old time, and one from the future', async () => {
    const tolerance = scheme === 'hmac' ? 60_000 : 300_000
    for (const sign of [-1, 1]) {
      expect(await verified(scheme, sent, { now: NOW + sign * tolerance })).not.toBeNull()
      expect(await verified(scheme, sent, { now: NOW + sign * (tolerance + 1_000) })).toBeNull()
    }
  })

  it.runIf(BODY_SIGNED.includes(scheme))('refuses another body', async () => {
    for (const body of [`${sent.body}\n`, sent.body.replace('D', 'd'), ''])
      expect(await verified(scheme, { ...sent, body }), body).toBeNull()
  })

  it('refuses deliveries of the other schemes', async () => {
    for (const other of NAMES.filter((name) => name !== scheme))
      expect(await verified(scheme, sign(other, DATA, NOW)), other).toBeNull()
  })
})

describe("deliveries of the senders' own tools", () => {
  it('GitHub: the example of its documentation, and its library (6.0.0)', async () => {
    const of = (signature: string, body: string): Sent => ({
      headers: { 'x-hub-signature-256': `sha256=${signature}` },
      body,
    })
    const documented = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    expect(await verified('github', of(documented, 'Hello, World!'))).not.toBeNull()
    const library = '37f6b4cec57f78fc2eae5933a17751e4361787470627dc07f3f0f25f3339fffa'
    const body = '{"action":"opened","issue":{"number":7,"title":"Ünïcode ✓"}}'
    expect(await verified('github', of(library, body))).not.toBeNull()
    expect(await verified('github', of(library.toUpperCase(), body))).toBeNull()
  })

  it('Slack: the example of its documentation', async () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
      '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
      '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
      '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const id = { value: '398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c', signed: true }
    expect(await verified('slack', { headers, body }, { now: 1_531_420_618_000 })).toEqual({
      id,
      handshake: null,
    })
  })

  it('Stripe: its library (23.1.0)', async () => {
    const body = '{"id":"evt_1Q2w","object":"event","type":"invoice.payment_failed"}'
    const v1 = '91e7d067a92949f3e51a1d41a3a3d120f585dd96b9af8d13f7d165db1ac946b5'
    const of = (header: string): Sent => ({ headers: { 'stripe-signature': header }, body })
    const id = { value: 'evt_1Q2w', signed: true }
    expect(await verified('stripe', of(`t=1764345600,v1=${v1}`))).toEqual({ id, handshake: null })
    expect(await verified('stripe', of(`t=1764345600,v1=${'0'.repeat(64)},v1=${v1},v0=${v1}`))).not.toBeNull()
    for (const wrong of [
      `t=1764345600,v0=${v1}`,
      `t=1764345600,t=1764345600,v1=${v1}`,
      `v1=${v1}`,
      `t=1764345600abc,v1=${v1}`,
      `t=1764345600${',v1='.concat('0'.repeat(64)).repeat(11)},v1=${v1}`,
    ])
      expect(await verified('stripe', of(wrong)), wrong).toBeNull()
  })

  it('GitLab: a signing token signs as Standard Webhooks', async () => {
    const secrets = [SECRETS.standard]
    expect(await verified('gitlab', sign('standard', DATA, NOW), { secrets })).not.toBeNull()
    expect(
      await verified('gitlab', sign('gitlab', DATA, NOW, 'd-1', SECRETS.standard), { secrets }),
    ).toBeNull()
  })

  it('GitLab: a signing token and a secret token are both valid while one replaces the other', async () => {
    const kinds = [SECRETS.standard, SECRETS.gitlab]
    for (const secrets of [kinds, kinds.toReversed()]) {
      for (const secret of secrets) {
        const hook = { scheme: 'gitlab', signature: null, secret } as const
        const sent = await signDelivery(hook, JSON.stringify(DATA), { id: 'd-1', now: NOW })
        const id = { value: 'd-1', signed: secret === SECRETS.standard }
        expect(await verified('gitlab', sent, { secrets })).toEqual({ id, handshake: null })
      }
      const leaked = sign('gitlab', DATA, NOW, 'd-1', SECRETS.standard)
      expect(await verified('gitlab', leaked, { secrets })).toBeNull()
      const both = { ...sign('gitlab', DATA, NOW).headers, 'webhook-signature': 'v1,x' }
      expect(await verified('gitlab', { ...leaked, headers: both }, { secrets })).toBeNull()
      expect(await verified('gitlab', { ...leaked, headers: both })).not.toBeNull()
    }
  })

  it('PagerDuty: several signatures while a secret is replaced', async () => {
    const { headers, body } = sign('pagerduty', DATA, NOW)
    const both = `v1=${'0'.repeat(64)},${headers['x-pagerduty-signature'] ?? ''}`
    expect(await verified('pagerduty', { headers: { 'x-pagerduty-signature': both }, body })).not.toBeNull()
  })
})

describe('a URL verification', () => {
  const slack = (body: string): Sent => {
    const { headers } = sign('slack', {}, NOW)
    return { headers: { ...headers, 'content-type': 'application/json' }, body }
  }

  it('is answered: GitHub’s ping, PagerDuty’s ping', async () => {
    const { headers, body } = sign('github', { zen: 'Keep it logically awesome.', hook_id: 7 }, NOW)
    const ping = { headers: { ...headers, 'x-github-event': 'ping' }, body }
    expect((await verified('github', ping))?.handshake?.body).toBe('{"ok":true}')
    expect((await verified('github', { headers, body }))?.handshake).toBeNull()
    const pagey = sign('pagerduty', { event_type: 'pagey.ping' }, NOW)
    expect((await verified('pagerduty', pagey))?.handshake?.body).toBe('{"ok":true}')
  })

  it('is not answered if it is not signed', async () => {
    expect(await verified('slack', slack('{"type":"url_verification","challenge":"abc"}'))).toBeNull()
  })
})

describe('mutated deliveries', () => {
  it(`are never accepted (seed ${SEED})`, async () => {
    const chance = seededChance(SEED)
    for (let round = 0; round < 2_000; round++) {
      const scheme = pick(chance, BODY_SIGNED)
      const { wrong, change } = wrongDelivery(scheme, sign(scheme, { n: round }, NOW, `d-${round}`), chance)
      expect(await verified(scheme, wrong), `${scheme} ${change}`).toBeNull()
    }
  })
})

describe('the content of a delivery', () => {
  const FORM = 'application/x-www-form-urlencoded; charset=utf-8'
  it.each([
    ['application/json', '{"a":1}', '{"a":1}'],
    [FORM, 'text=a+b&user=%C3%BC', '{"text":"a b","user":"ü"}'],
    [FORM, 'a=1&a=2', '{"a":["1","2"]}'],
    [FORM, 'payload=%7B%22a%22%3A1%7D&token=x', '{"a":1}'],
    [FORM, '__proto__=1', '{"__proto__":"1"}'],
    ['text/plain', 'a=1', 'a=1'],
  ])('of type %s is read: %s', (type, body, content) => {
    expect(contentOf(type, utf8(body))).toBe(content)
  })

  it('that is not UTF-8 is not read', () => {
    expect(contentOf(FORM, new Uint8Array([0xff]))).toBeNull()
  })
})
