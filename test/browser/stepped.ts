// A page whose answer a test controls: a fake stream in the browser, written piece by piece. Each step ends when its
// text is drawn.

import type { BrowserContextOptions, Page } from 'playwright-core'

import type { EventBody } from '../../src/agent/events.ts'
import type { Message } from '../../src/agent/message.ts'
import { NO_USAGE } from '../../src/agent/message.ts'
import { frame, message, RECEIPT, RUN, STARTED } from '../unit/page/frames.ts'
import { button, scripted, type Answers } from './open.ts'

declare global {
  interface Window {
    /** The stream of the newest question. */
    satchelStream?: ReadableStreamDefaultController<Uint8Array>
  }
}

export interface Stepped {
  readonly page: Page
  /** Resolves once this text of the answer is drawn. */
  readonly announce: (text: string) => Promise<void>
  /** Completes the answer. */
  readonly finish: () => Promise<void>
}

/** A visitor in a new thread, or in the one that `fragment` names; other requests are answered as in `scripted`. */
export async function stepped(
  answers: Answers = {},
  { fragment = '', ...options }: BrowserContextOptions & { fragment?: string } = {},
): Promise<Stepped> {
  const { page } = await scripted(fragment, answers, options, async (fresh) => {
    await fresh.addInitScript(standIn, RUN)
  })
  await button(page, 'Send').waitFor()
  let seq = 0
  let output = ''
  let run = RUN
  let requested = 1
  const write = async (...bodies: readonly EventBody[]): Promise<void> => {
    const events = bodies.map((body) => ({ ...frame((seq += 1), body), run_id: run }))
    const text = events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    await page.waitForFunction(() => window.satchelStream)
    await page.evaluate((bytes) => window.satchelStream?.enqueue(new TextEncoder().encode(bytes)), text)
    await drawn(page)
  }
  return {
    page,
    announce: async (text) => {
      const offset = Array.from(output).length
      if (output === '') await write(STARTED)
      output += text
      await write({ type: 'text.delta', step: 1, block: 0, offset, text })
    },
    finish: async () => {
      const whole: Message = {
        ...message(`m_${requested}`, 'assistant', [{ type: 'text', text: output }]),
        run_id: run,
      }
      output = ''
      await write(
        { type: 'message.completed', step: 1, message: whole, model_stop: 'end_turn', usage: NO_USAGE },
        { type: 'run.completed', stop_reason: 'answered', receipt: { ...RECEIPT, run_id: run } },
      )
      await page.evaluate(() => {
        // The client has closed it at the terminal event.
        delete window.satchelStream
      })
      requested += 1
      run = `${RUN}_${requested}`
      seq = 0
    },
  }
}

/** Two frames of the screen have passed. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    async () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
}

/** Runs in the page before its own scripts. */
function standIn(run: string): void {
  const real = window.fetch.bind(window)
  let requested = 0
  window.fetch = async (input, init) => {
    const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    if (init?.method !== 'POST' || !address.endsWith('/v1/chat')) return real(input, init)
    requested += 1
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        window.satchelStream = controller
      },
    })
    const id = requested === 1 ? run : `${run}_${requested}`
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'x-thread-id': 'th_1', 'x-run-id': id },
    })
  }
}
