// A run that lasts as long as a test wants: its first events are sent at once, the others when the test releases them.

import type { EventBody } from '../../src/agent/events.ts'
import { frame, RECEIPT, RUN } from '../unit/page/frames.ts'
import { stream, THREAD, type Answers } from './open.ts'

export interface GoingOn {
  /** For `scripted`. */
  readonly answers: Answers
  /** What was sent to /v1/chat. */
  readonly sent: unknown[]
  /** Sends these frames. */
  frames(...bodies: readonly EventBody[]): void
  /** Ends the run as specified, by default successfully. */
  end(type?: 'run.completed' | 'run.cancelled' | 'run.failed', reason?: 'answered' | 'awaiting_input'): void
}

/** The first message starts the run; later ones are answered at once. */
export function goingOn(): GoingOn {
  const sent: unknown[] = []
  let seq = 1
  let rest: ReturnType<typeof frame>[] = []
  let open = (): void => {}
  let gate = new Promise<void>((resolve) => (open = resolve))
  const more = (...bodies: readonly EventBody[]): void => {
    rest = [...rest, ...bodies.map((body) => frame(++seq, body))]
    open()
  }
  const cancelled: EventBody = {
    type: 'run.cancelled',
    stop_reason: 'cancelled',
    receipt: { ...RECEIPT, status: 'cancelled', stop_reason: 'cancelled' },
  }
  return {
    sent,
    frames: more,
    end(type = 'run.completed', reason = 'answered') {
      if (type === 'run.cancelled') return more(cancelled)
      const receipt = { ...RECEIPT, status: type === 'run.failed' ? 'failed' : 'completed' } as const
      more({ type, stop_reason: reason, receipt } as EventBody) // one of the two
    },
    answers: {
      'POST /v1/chat': async (request, before) => {
        sent.push(request.postDataJSON())
        if (request.postData()?.includes('"on_busy":"steer"'))
          return { json: { thread_id: 'th_1', run_id: RUN } }
        const begin = [frame(1, { type: 'run.accepted', status: 'running' })]
        if (before === 0) return stream(begin)
        const run_id = `run_${before + 1}`
        const receipt = { ...RECEIPT, run_id }
        const end = frame(2, { type: 'run.completed', stop_reason: 'answered', receipt })
        return stream([...begin, end].map((event) => ({ ...event, run_id })))
      },
      [`GET ${THREAD}/runs/${RUN}/events`]: async () => {
        await gate
        gate = new Promise<void>((resolve) => (open = resolve))
        const now = rest
        rest = []
        return stream(now)
      },
      [`POST ${THREAD}/runs/${RUN}/cancel`]: async () => {
        more(cancelled)
        return { json: RECEIPT }
      },
    },
  }
}
