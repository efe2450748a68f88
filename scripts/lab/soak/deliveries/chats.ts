// Users who chat while a hook is under load, in a separate process, so that they share no event loop with its senders.
// Each sends messages in sequence in a thread of its own. For each message of its parent, reports how long the first
// texts took since the previous one. `node scripts/lab/soak/deliveries/chats.ts URL KEY…`

import { setTimeout as sleep } from 'node:timers/promises'

import { askTimed } from '../../rig/requests.ts'

const PAUSE_MS = 50

export interface ChatTimes {
  readonly firstTextMs: readonly number[]
  readonly failures: readonly string[]
}

const [url = '', ...keys] = process.argv.slice(2)
let times = { firstTextMs: [] as number[], failures: [] as string[] }
process.on('message', () => {
  process.send?.(times)
  times = { firstTextMs: [], failures: [] }
})
process.on('disconnect', () => process.exit(0))

async function chat(key: string): Promise<never> {
  for (let thread: string | null = null; ; await sleep(PAUSE_MS)) {
    const body = {
      message: 'What is in the satchel?',
      stream: true,
      ...(thread !== null && { thread_id: thread }),
    }
    try {
      const { firstTextMs, threadId } = await askTimed(`${url}/v1/chat`, body, key)
      times.firstTextMs.push(firstTextMs)
      thread = threadId
    } catch (error) {
      times.failures.push(String(error))
    }
  }
}

await Promise.all(keys.map(chat))
