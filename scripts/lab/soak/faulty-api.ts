// A Messages API with random faults, in its own process: it is overloaded, cuts off responses or is slow. Otherwise it
// calls a few tools and answers. `node scripts/lab/soak/faulty-api.ts SEED`

import { costOf } from '../../../src/agent/cost.ts'
import { knownModel } from '../../../src/model/prices.ts'
import { startMessagesApi } from '../../../test/fakes/messages-api.ts'
import { defaultScript } from '../../../test/fakes/messages-default.ts'
import { serveParent } from '../rig/model-api.ts'
import { seededChance } from '../rig/random.ts'
import { approvalReply } from './approval-story.ts'
import { commandReply } from './command-story.ts'
import { fileReply } from './file-story.ts'

import type { Reply } from '../../../test/fakes/messages-wire.ts'

const OVERLOADED_SHARE = 0.06
const CUT_OFF_SHARE = 0.08
const SLOW_SHARE = 0.25

/** The default model of a server. */
const facts = knownModel('claude-sonnet-5-5')
let billedUsd = 0

const random = seededChance(Number(process.argv[2] ?? 1))
const scripts = [0, 1, 2, 4].map((steps) => defaultScript({ steps, firstTokenMs: 20, deltaMs: 4, words: 60 }))

/** The number of tool rounds that the newest question requests, so that a repeated call gets the same answer. */
function stepsOf(raw: string): number {
  return Number(/ROUNDS (\d)/.exec(raw.slice(Math.max(0, raw.lastIndexOf('ROUNDS '))))?.[1] ?? 0)
}

const api = await startMessagesApi(
  (request, index): Reply => {
    if (random.yes(OVERLOADED_SHARE))
      return {
        status: 529,
        type: 'overloaded_error',
        message: 'Overloaded',
        headers: { 'retry-after': '0' },
      }
    const storyReply = fileReply(request.raw) ?? commandReply(request.raw) ?? approvalReply(request.raw)
    const script = scripts[stepsOf(request.raw) % scripts.length]
    if (typeof script !== 'function') throw new Error('the default script decides by the request')
    const reply = storyReply ?? script(request, index)
    if (!('content' in reply)) return reply
    if (random.yes(CUT_OFF_SHARE)) return { ...reply, cutAfter: random.between(0, 12) }
    return random.yes(SLOW_SHARE) ? { ...reply, firstDelayMs: random.between(100, 700), delayMs: 25 } : reply
  },
  { strict: true, onBilled: (tokens) => (billedUsd += facts ? costOf(facts, tokens) : 0) },
)
serveParent(api.url, () => ({ requests: api.exchanges.length, billedUsd }))
