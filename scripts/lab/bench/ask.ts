// One timed request. The bare Worker and Satchel are asked by the same code over the same kept-alive connections.

import Anthropic from '@anthropic-ai/sdk'

export interface Timed {
  /** From sending the request to the frame that carries the first text, in milliseconds. */
  readonly firstTextMs: number
  /** To the first event of any kind. */
  readonly firstEventMs: number
  /** To the terminal event. */
  readonly totalMs: number
  /** Number of the last event; 0 where they have none. */
  readonly last: number
  /** Of the thread that was asked; empty where there is none. */
  readonly threadId: string
}

const TERMINAL = /^event: run\.(completed|failed|cancelled)$/m

/** POSTs `body` and reads the answer's Server-Sent Events to their end. Rejects unless the run was completed. */
export async function ask(url: string, key: string, body: object): Promise<Timed> {
  const began = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  let firstTextMs = Number.NaN
  let firstEventMs = Number.NaN
  let totalMs = Number.NaN
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (Number.isNaN(firstEventMs) && text.includes('event: ')) firstEventMs = performance.now() - began
    if (Number.isNaN(firstTextMs) && text.includes('event: text.delta\n'))
      firstTextMs = performance.now() - began
    if (Number.isNaN(totalMs) && TERMINAL.test(text)) totalMs = performance.now() - began
  }
  if (!text.includes('event: run.completed\n') || Number.isNaN(firstTextMs))
    throw new Error(`${url}: no completed run: ${text.slice(-500)}`)
  const last = Number(/^id: (\d+)$/m.exec(text.slice(text.lastIndexOf('\nid: ') + 1))?.[1] ?? 0)
  const threadId = response.headers.get('X-Thread-Id') ?? ''
  return { firstTextMs, firstEventMs, totalMs, last, threadId }
}

/** The same question to the API itself, by the SDK and without a Worker in between. */
export function directly(apiUrl: string): (message: string) => Promise<Pick<Timed, 'firstTextMs'>> {
  const anthropic = new Anthropic({ apiKey: 'any-key', baseURL: apiUrl, maxRetries: 0 })
  return async (message) => {
    const began = performance.now()
    let firstTextMs = Number.NaN
    const stream = await anthropic.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 1_024,
      messages: [{ role: 'user', content: message }],
      stream: true,
    })
    for await (const event of stream)
      if (Number.isNaN(firstTextMs) && event.type === 'content_block_delta')
        firstTextMs = performance.now() - began
    return { firstTextMs }
  }
}
