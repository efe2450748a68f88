// Guards the texts that one report sends to the Workspace object: only a few, and none of an unused fork.

import { expect, it } from 'vitest'
import { REPORT_TEXTS_MAX_BYTES, REPORT_TEXTS_MAX } from '../../../src/thread/report/limits.ts'
import { unreportedTexts } from '../../../src/thread/report/workspace-report.ts'

function reports(texts: readonly string[], isFork = false, hasRuns = true): readonly (readonly number[])[] {
  const messagesAfter = (after: number, limit: number): unknown =>
    texts
      .slice(after, after + limit)
      .map((text, at) => ({ seq: after + at + 1, message: { content: [{ type: 'text', text }] } }))
  const reported: (readonly number[])[] = []
  for (let heard = 0; ;) {
    const thread = {
      row: {
        data: { textsReported: heard, forkedFrom: isFork ? { thread_id: 't', message_id: 'm' } : null },
      },
      runs: { isEmpty: !hasRuns },
      transcript: { messagesAfter },
    }
    const output = unreportedTexts(thread as unknown as Parameters<typeof unreportedTexts>[0])
    reported.push(output.texts.map(({ text }) => text.length))
    if (!output.hasMore) return reported
    heard = output.upTo
  }
}

it('sends twenty short texts, or a few long ones, and all of them in the end', () => {
  const short = reports(Array<string>(50).fill('hi'))
  expect(short.map((texts) => texts.length)).toEqual([REPORT_TEXTS_MAX, REPORT_TEXTS_MAX, 10])
  const long = reports(Array<string>(50).fill('word '.repeat(2_000)))
  expect(long.flat()).toHaveLength(50)
  for (const texts of long)
    expect(texts.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(REPORT_TEXTS_MAX_BYTES + 4_096)
})

it('sends no text of a fork before its own first message', () => {
  expect(reports(['hi', 'hello'], true, false)).toEqual([[]])
  expect(reports(['hi', 'hello'], true)).toEqual([[2, 5]])
})
