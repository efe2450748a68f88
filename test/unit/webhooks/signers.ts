// Signs deliveries as each sender does, for tests. schemes.test.ts compares it with what the senders' own libraries make.

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { HmacOptions, SchemeName } from '../../../src/webhooks/schemes/scheme.ts'

export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const HMAC: HmacOptions = {
  algorithm: 'sha512',
  header: 'X-Signature',
  prefix: 'hmac ',
  encoding: 'base64',
  signed: '{id}|{timestamp}|{body}',
  timestamp: { header: 'X-Time', tolerance_s: 60 },
  id: { header: 'X-Id' },
}

export const SECRETS: Readonly<Record<SchemeName, string>> = {
  standard: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  github: "It's a Secret to Everybody",
  gitlab: 'a-gitlab-token',
  slack: '8f742231b10e8888abcd99yyyzzz85a5',
  stripe: 'whsec_test_secret',
  linear: 'lin_wh_secret',
  pagerduty: 'a-pagerduty-secret',
  hmac: 'a-secret-of-ours',
  bearer: 'a-token-for-alertmanager',
  basic: 'grafana:a-password',
}

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')

/** A delivery that is signed at `now` (epoch milliseconds). */
export function sign(
  scheme: SchemeName,
  data: object,
  now: number,
  id = 'd-1',
  secret = SECRETS[scheme],
): Sent {
  const s = String(Math.floor(now / 1000))
  const json = JSON.stringify(data)
  const form = 'application/x-www-form-urlencoded'
  switch (scheme) {
    case 'standard': {
      const signature = new Webhook(secret).sign(id, new Date(Number(s) * 1000), json)
      return {
        headers: { 'webhook-id': id, 'webhook-timestamp': s, 'webhook-signature': signature },
        body: json,
      }
    }
    case 'github': {
      const headers = { 'x-hub-signature-256': `sha256=${hmac(secret, json)}` }
      return { headers: { ...headers, 'x-github-delivery': id, 'x-github-event': 'issues' }, body: json }
    }
    case 'gitlab':
      return { headers: { 'x-gitlab-token': secret, 'idempotency-key': id }, body: json }
    case 'slack': {
      const body = String(new URLSearchParams({ ...data, trigger_id: id }))
      const signature = `v0=${hmac(secret, `v0:${s}:${body}`)}`
      const headers = { 'x-slack-request-timestamp': s, 'x-slack-signature': signature }
      return { headers: { ...headers, 'content-type': form }, body }
    }
    case 'stripe': {
      const body = JSON.stringify({ id, ...data })
      return { headers: { 'stripe-signature': `t=${s},v1=${hmac(secret, `${s}.${body}`)}` }, body }
    }
    case 'linear': {
      const body = JSON.stringify({ ...data, webhookTimestamp: now })
      return { headers: { 'linear-signature': hmac(secret, body), 'linear-delivery': id }, body }
    }
    case 'pagerduty': {
      const body = JSON.stringify({ event: { id, ...data } })
      return { headers: { 'x-pagerduty-signature': `v1=${hmac(secret, body)}` }, body }
    }
    case 'hmac': {
      const signature = createHmac('sha512', secret).update(`${id}|${s}|${json}`).digest('base64')
      return { headers: { 'x-id': id, 'x-time': s, 'x-signature': `hmac ${signature}` }, body: json }
    }
    case 'bearer':
      return { headers: { authorization: `Bearer ${secret}` }, body: json }
    case 'basic':
      return { headers: { authorization: `Basic ${btoa(secret)}` }, body: json }
  }
}
