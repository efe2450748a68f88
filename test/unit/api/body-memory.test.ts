// Guards the memory for bodies: nobody can fill it to have others refused. The sender that holds the most is
// displaced, compared by kind of credential, workspace, key or hook, and network. Small bodies have their own budget.

import { beforeEach, describe, expect, it } from 'vitest'
import { BodyMemory, type BodyReservation } from '../../../src/api/bodies/body-memory.ts'
import { takeUnfinished, type SenderPath } from '../../../src/api/admission/sender.ts'
import { BODY_SILENCE_MAX_MS } from '../../../src/api/bodies/limits.ts'

const KB = 1_024
const SMALL = 1_024 * KB
const LARGE = 4_096 * KB

const CHAT: SenderPath = ['key', 'team', 'team/chat', '192.0.2.1']
const HOOK: SenderPath = ['hook', 'team', 'hk_team_a', '198.51.100.1']

let now = 0
let memory = new BodyMemory(() => now)

beforeEach(() => {
  now = 0
  memory = new BodyMemory(() => now, { smallBytes: SMALL, largeBytes: LARGE })
  takeUnfinished()
})

interface Sent {
  readonly coming: BodyReservation
  readonly admitted: boolean
  displaced: boolean
}

function send(path: SenderPath, bytes: number): Sent {
  let displaced = false
  const coming = memory.begin({ path, unfinished: false }, () => {
    displaced = true
  })
  const admitted = coming.reserve(bytes)
  if (!admitted) coming.end()
  return {
    coming,
    admitted,
    get displaced() {
      return displaced
    },
  }
}

/** Enough bodies of `bytes` to fill the memory twice. */
function fill(bytes: number, pathOf: (at: number) => SenderPath): readonly Sent[] {
  const most = bytes > 64 * KB ? LARGE : SMALL
  return Array.from({ length: Math.ceil((2 * most) / bytes) }, (_, at) => send(pathOf(at), bytes))
}

const networks = (at: number): SenderPath => [HOOK[0], HOOK[1], HOOK[2], `198.51.100.${at}`]
const hooks = (at: number): SenderPath => ['hook', `team-${at % 7}`, `hk_${at}`, `203.0.113.${at}`]

describe('bodies that never end', () => {
  for (const [who, pathOf] of [
    ['a hook from one network', () => HOOK],
    ['a hook from many networks', networks],
    ['many hooks of several workspaces', hooks],
    ['another key', () => ['key', 'team', 'team/other', '192.0.2.1']],
    ['another workspace with many keys', (at) => ['key', 'theirs', `theirs/${at}`, `192.0.2.${at}`]],
  ] as readonly [string, (at: number) => SenderPath][])
    it(`at ${who} refuse no message with a key, small or large`, () => {
      for (const bytes of [20 * KB, 60 * KB, 1_000 * KB]) {
        fill(bytes, pathOf)
        for (const mine of [KB, 60 * KB, 900 * KB]) {
          const sent = send(CHAT, mine)
          expect([bytes, mine, sent.admitted, sent.displaced]).toEqual([bytes, mine, true, false])
          sent.coming.end()
        }
      }
    })

  it('at one hook from one network refuse no other hook, and no other network at this one', () => {
    fill(1_000 * KB, () => HOOK)
    expect(send(['hook', 'team', 'hk_team_b', HOOK[3]], 900 * KB).admitted).toBe(true)
    expect(send(networks(9), 900 * KB).admitted).toBe(true)
  })

  it('are refused themselves, with an error, while they fill the memory', () => {
    const sent = fill(1_000 * KB, () => HOOK)
    expect(sent.slice(0, 4).map(({ admitted }) => admitted)).toEqual([true, true, true, true])
    expect(sent.slice(4).some(({ admitted }) => admitted)).toBe(false)
  })

  it('are displaced by later ones of the same sender once they hardly move', () => {
    const before = fill(1_000 * KB, () => HOOK)
    now += 2 * BODY_SILENCE_MAX_MS - 1_000
    expect(send(HOOK, 900 * KB).admitted).toBe(true)
    expect(before[0]?.displaced).toBe(true)
  })
})

it('a large upload with a key continues while a hook is flooded, and so do messages', () => {
  const upload = send(['key', 'team', 'team/publisher', '192.0.2.9'], LARGE / 2)
  fill(1_000 * KB, () => HOOK)
  expect(send(CHAT, 900 * KB).admitted).toBe(true)
  expect([upload.admitted, upload.displaced]).toEqual([true, false])
})

it('a body without a byte takes memory, too: the number of connections is limited', () => {
  const sent = Array.from({ length: SMALL / KB }, () => send(HOOK, 0))
  expect(sent.filter(({ admitted }) => admitted).length).toBe(SMALL / (4 * KB))
  expect(send(CHAT, KB).admitted).toBe(true)
})

it('an ended body frees its memory; an interrupted one does so after a while, and counts as unfinished once', () => {
  const [first] = fill(1_000 * KB, () => HOOK)
  first?.coming.end()
  expect(send(HOOK, 1_000 * KB).admitted).toBe(true)
  expect(takeUnfinished()).toEqual([])
  now += 2 * BODY_SILENCE_MAX_MS + 1
  expect(send(HOOK, 1_000 * KB).admitted).toBe(true)
  expect(takeUnfinished()).toHaveLength(4)
  expect(takeUnfinished()).toEqual([])
  expect(first?.coming.reserve(1)).toBe(false)
})
