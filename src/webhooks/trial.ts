// Tries a hook without its sender: signs a body as the sender would, and describes what would become of it. Stores nothing.

import { utf8 } from '../lib/bytes.ts'
import { newId } from '../lib/ids.ts'
import type { Result } from '../lib/result.ts'
import type { HookTrial } from './api.ts'
import type { StoredHook } from './hook-rows.ts'
import { judge, type JudgedDelivery } from './judge.ts'
import type { Handshake } from './schemes/scheme.ts'
import { signDelivery } from './schemes/sign.ts'

interface Test {
  readonly body: string
  /** What the sender adds, such as the name of an event. They cannot replace the signature. */
  readonly headers: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly now: number
}

export async function signedTest(
  hook: StoredHook,
  secret: string,
  { body, headers, now }: Test,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array<ArrayBuffer> }> {
  const signed = await signDelivery({ ...hook, secret }, body, { id: `test_${newId('dl')}`, now })
  const added = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { headers: { ...Object.fromEntries(added), ...signed.headers }, body: utf8(signed.body) }
}

export async function tryDelivery(
  hook: StoredHook,
  secrets: readonly [string, ...string[]],
  test: Test,
): Promise<HookTrial> {
  const signed = await signedTest(hook, secrets[0], test)
  return trialOf(hook, await judge(hook, secrets, { ...signed, now: test.now }))
}

function trialOf(
  { thread }: Pick<StoredHook, 'thread'>,
  judged: Result<JudgedDelivery | { readonly handshake: Handshake }>,
): HookTrial {
  const nothing = { message: null, thread_id: null }
  if (!judged.ok) return { verdict: 'refused', reason: judged.error.detail, ...nothing }
  if ('handshake' in judged.value) {
    const reason = 'The sender tests the address with this. It gets a response, and no run starts.'
    return { verdict: 'filtered', reason, ...nothing }
  }
  const { filtered, run } = judged.value
  if (!run) return { verdict: 'filtered', reason: filtered, ...nothing }
  const thread_id = thread === 'each' ? null : run.threadId
  return { verdict: 'accepted', reason: null, message: run.message, thread_id }
}
