// Guards signatures: a delivery is genuine only if exactly these bytes, this ID and this time were signed with the
// hook's secret.
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { base64, utf8 } from '../../../src/lib/bytes.ts'
import { checkSecret, newSecret, secretKey } from '../../../src/webhooks/schemes/secret.ts'
import type { Verify } from '../../../src/webhooks/schemes/scheme.ts'
import { verifyStandard } from '../../../src/webhooks/schemes/standard.ts'

const SECRET = newSecret()
const OTHER = newSecret()
const NOW_S = 1_800_000_000
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
const BODY = '{"type":"invoice.paid","data":{"n":1}}'

type Headers = Record<string, string>

async function verify(secret: string, headers: Headers, body: Uint8Array, now: number): ReturnType<Verify> {
  return verifyStandard([secret], { headers, body, now }, null)
}

function sign(body = BODY, id = ID, seconds = NOW_S, secret = SECRET): string {
  return new Webhook(secret).sign(id, new Date(seconds * 1000), body)
}

function signed(changes: Headers = {}, body = BODY): Headers {
  const base = { 'webhook-id': ID, 'webhook-timestamp': String(NOW_S), 'webhook-signature': sign(body) }
  return { ...base, ...changes }
}

// The header and the signature agree on the timestamp, so that only its age or form can be refused.
function at(timestamp: string): Headers {
  const seconds = Number.parseInt(timestamp, 10)
  const signature = Number.isNaN(seconds) ? sign() : sign(BODY, ID, seconds)
  return signed({ 'webhook-timestamp': timestamp, 'webhook-signature': signature })
}

// The same for an id.
function withId(id: string): Headers {
  return signed({ 'webhook-id': id, 'webhook-signature': sign(BODY, id) })
}

async function accepts(headers: Headers, body: string | Uint8Array = BODY): Promise<boolean> {
  const bytes = typeof body === 'string' ? utf8(body) : body
  return (await verify(SECRET, headers, bytes, NOW_S * 1000 + 999)).ok
}

function without(name: string): Headers {
  return Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name))
}

describe('accepts', () => {
  const [version, right] = sign().split(',')
  const wrong = `v1,${base64(new Uint8Array(32))}`
  const cases: [string, Headers, (string | Uint8Array)?][] = [
    ['a signed delivery', signed()],
    [
      'header names in any case',
      { 'Webhook-Id': ID, 'WEBHOOK-TIMESTAMP': String(NOW_S), 'webhook-Signature': sign() },
    ],
    [
      'GitHub headers beside its own',
      signed({ 'x-hub-signature-256': 'sha256=00', 'x-github-event': 'push' }),
    ],
    ['a timestamp 299 s old', at(String(NOW_S - 299))],
    ['a timestamp 300 s old', at(String(NOW_S - 300))],
    ['a timestamp 299 s ahead', at(String(NOW_S + 299))],
    ['a timestamp 300 s ahead', at(String(NOW_S + 300))],
    [
      'the right signature after nine wrong ones',
      signed({ 'webhook-signature': `${`${wrong} `.repeat(9)}${version},${right}` }),
    ],
    [
      'both signatures of a rotation, the old one first',
      signed({ 'webhook-signature': `${sign(BODY, ID, NOW_S, OTHER)} ${sign()}` }),
    ],
    [
      'both signatures of a rotation, the new one first',
      signed({ 'webhook-signature': `${sign()} ${sign(BODY, ID, NOW_S, OTHER)}` }),
    ],
    ['unknown versions beside v1', signed({ 'webhook-signature': `v2,abc v1a,${right} ${sign()}` })],
    ['an id of 255 characters', withId('x'.repeat(255))],
    ['a path as an id, which is only data', withId('../../etc')],
    ['quotes and SQL as an id', withId(`';DROP/**/TABLE"deliveries"--`)],
    ['an id with a full stop', withId('evt.invoice.123')],
    ['an empty body', signed({}, ''), ''],
    ['a body with a byte order mark', signed({}, `\uFEFF${BODY}`), `\uFEFF${BODY}`],
    ['a body with CRLF', signed({}, '{\r\n}'), '{\r\n}'],
    ['text that is not JSON', signed({}, 'a=b&c'), 'a=b&c'],
    ['astral and NUL characters', signed({}, '"😀\u0000é"'), '"😀\u0000é"'],
  ]
  it.each(cases)('%s', async (_, headers, body) => {
    expect(await accepts(headers, body)).toBe(true)
  })

  it('the published example of the standard', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const body = utf8('{"test": 2432232314}')
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const verdict = await verify(secret, headers, body, 1_614_265_330_000)
    expect(verdict).toEqual({
      ok: true,
      value: { id: { value: headers['webhook-id'], signed: true }, handshake: null },
    })
  })

  it('bytes that are not UTF-8, and notices one changed among them', async () => {
    const body = Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0xc0, 0xaf)
    const mac = createHmac('sha256', secretKey(SECRET) ?? '')
      .update(`${ID}.${NOW_S}.`)
      .update(body)
    const headers = signed({ 'webhook-signature': `v1,${mac.digest('base64')}` })
    expect(await accepts(headers, body)).toBe(true)
    body[1] = 0xfd
    expect(await accepts(headers, body)).toBe(false)
  })
})

describe('refuses', () => {
  const right = sign().slice('v1,'.length)
  const sig = (value: string): Headers => signed({ 'webhook-signature': value })
  const cases: [string, Headers, (string | Uint8Array)?][] = [
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name): [string, Headers][] => [
      [`a missing ${name}`, without(name)],
      [`an empty ${name}`, signed({ [name]: '' })],
      [`a ${name} given twice, joined`, signed({ [name]: `${signed()[name]}, ${signed()[name]}` })],
      [`a ${name} given twice in two spellings`, signed({ [name.toUpperCase()]: signed()[name] ?? '' })],
      [
        `a ${name} with a leading space`,
        signed({ [name]: ` ${name === 'webhook-signature' ? 'x' : signed()[name]}` }),
      ],
      [`a ${name} of 100 KB`, signed({ [name]: 'v1,A'.repeat(25_000) })],
      [`a ${name} that is not ASCII`, signed({ [name]: 'é１' })],
    ]),
    ['an id with a trailing space', withId(`${ID} `)],
    ['an id of 256 characters', withId('x'.repeat(256))],
    ['an id of 10 KB', withId('x'.repeat(10_240))],
    ['an id with NUL', withId('a\u0000b')],
    ['an id with a line feed', withId('a\nb')],
    ['an id that was not signed', signed({ 'webhook-id': 'msg_other' })],
    ...[
      '123abc',
      `${NOW_S}abc`,
      ` ${NOW_S}`,
      `${NOW_S} `,
      `+${NOW_S}`,
      `-${NOW_S}`,
      '1e9',
      '1.8e9',
      '0x6b49d200',
      '-1',
      '0',
    ].map((text): [string, Headers] => [`the timestamp ${JSON.stringify(text)}`, at(text)]),
    ...[
      'NaN',
      'Infinity',
      `${NOW_S}000`,
      '1'.repeat(20),
      `${NOW_S}.0`,
      `${NOW_S}\n`,
      `0${NOW_S}`,
      '１８００００００００',
    ].map((text): [string, Headers] => [`the timestamp ${JSON.stringify(text)}`, at(text)]),
    ['a timestamp 301 s old', at(String(NOW_S - 301))],
    ['a timestamp 301 s ahead', at(String(NOW_S + 301))],
    ['a timestamp that was not signed', signed({ 'webhook-timestamp': String(NOW_S + 1) })],
    ['a signature of another body', sig(sign(`${BODY} `))],
    ['a signature of another id', sig(sign(BODY, 'msg_other'))],
    ['a signature of another time', sig(sign(BODY, ID, NOW_S - 1))],
    ['a signature of another secret', sig(sign(BODY, ID, NOW_S, OTHER))],
    ['v1 alone', sig('v1')],
    ['v1 with nothing after it', sig('v1,')],
    ['the right signature as v2', sig(`v2,${right}`)],
    ['the right signature as v1a', sig(`v1a,${right}`)],
    ['the right signature as V1', sig(`V1,${right}`)],
    ['the right signature without a version', sig(right)],
    ['hex', sig(`v1,${Buffer.from(right, 'base64').toString('hex')}`)],
    ['no padding', sig(`v1,${right.slice(0, -1)}`)],
    ['wrong padding', sig(`v1,${right}=`)],
    ['white space inside', sig(`v1,${right.slice(0, 20)} ${right.slice(20)}`)],
    ['a tab after it', sig(`v1,${right}\t`)],
    ['31 bytes', sig(`v1,${Buffer.from(right, 'base64').subarray(0, 31).toString('base64')}`)],
    ['33 bytes', sig(`v1,${Buffer.concat([Buffer.from(right, 'base64'), Buffer.of(0)]).toString('base64')}`)],
    [
      'the right signature after ten wrong ones',
      sig(`${`v1,${base64(new Uint8Array(32))} `.repeat(10)}${sign()}`),
    ],
    ['10,000 signatures', sig(`${sign()} `.repeat(10_000).trim())],
    ['a trailing newline on the body', signed(), `${BODY}\n`],
    ['a byte order mark before the body', signed(), `\uFEFF${BODY}`],
    ['JSON serialized again with other spaces', signed(), JSON.stringify(JSON.parse(BODY), null, 1)],
    ['an empty body for a signed one', signed(), ''],
  ]
  it.each(cases)('%s', async (_, headers, body) => {
    expect(await accepts(headers, body)).toBe(false)
  })

  it('the body with any one bit flipped', async () => {
    const headers = signed()
    for (let bit = 0; bit < BODY.length * 8; bit++) {
      const body = utf8(BODY)
      body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await accepts(headers, body), `bit ${bit}`).toBe(false)
    }
  })

  it('base64url, and a last character whose spare bits differ', async () => {
    // Find a signature with a character that is spelled differently in base64url.
    let id = 0
    while (!/[+/]/.test(sign(BODY, `m${id}`))) id++
    const headers = withId(`m${id}`)
    expect(await accepts(headers)).toBe(true)
    const value = headers['webhook-signature'] ?? ''
    const url = value.replaceAll('+', '-').replaceAll('/', '_')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = alphabet[alphabet.indexOf(value.at(-2) ?? '') ^ 1] ?? ''
    for (const bent of [url, `${value.slice(0, -2)}${last}=`])
      expect(await accepts({ ...headers, 'webhook-signature': bent })).toBe(false)
  })

  it('genuine bytes whose ID, time and body are split elsewhere', async () => {
    const body = `${NOW_S}.{"pay":"mallory"}`
    const signature = sign(body, 'm')
    expect(
      await accepts(
        { 'webhook-id': 'm', 'webhook-timestamp': String(NOW_S), 'webhook-signature': signature },
        body,
      ),
    ).toBe(true)
    const shifted = {
      'webhook-id': `m.${NOW_S}`,
      'webhook-timestamp': String(NOW_S),
      'webhook-signature': signature,
    }
    expect(await accepts(shifted, '{"pay":"mallory"}')).toBe(false)
  })

  it('with reasons that show neither the secret nor the signature', async () => {
    const headers = signed({ 'webhook-signature': sign(BODY, ID, NOW_S, OTHER) })
    const verdict = await verify(SECRET, headers, utf8(BODY), NOW_S * 1000)
    expect(verdict).toEqual({ ok: false, error: 'no signature matches' })
  })
})

describe('secrets', () => {
  it('are made of 32 random bytes that the library accepts', () => {
    const [one, two] = [newSecret(), newSecret()]
    expect(one).not.toBe(two)
    expect(secretKey(one)?.length).toBe(32)
    expect(() => new Webhook(one)).not.toThrow()
  })

  it.each([24, 32, 64])('may have %d bytes', (length) => {
    expect(checkSecret(`whsec_${base64(new Uint8Array(length))}`)).toBeNull()
  })

  it.each([
    '',
    'whsec_',
    'whsec_!!!!',
    `whsec_${base64(new Uint8Array(23))}`,
    `whsec_${base64(new Uint8Array(65))}`,
    base64(new Uint8Array(32)),
    `whsec_${base64(new Uint8Array(32)).slice(0, -1)}`,
    `whsec_${base64(new Uint8Array(32))}\n`,
    `WHSEC_${base64(new Uint8Array(32))}`,
  ])('may not be %j, and the error does not show it', (secret) => {
    const problem = checkSecret(secret)
    expect(problem).toMatch(/whsec_/)
    if (secret.length > 8) expect(problem).not.toContain(secret)
  })
})
