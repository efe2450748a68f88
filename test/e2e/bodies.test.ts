// Guards that request bodies that never end do not get other clients refused. Uses real connections, which send almost
// all of a body and then stall.

import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import {
  LARGE_BODIES_TOTAL_MAX_BYTES,
  SMALL_BODIES_TOTAL_MAX_BYTES,
  BODY_SILENCE_MAX_MS,
  BODY_WINDOW_MIN_BYTES,
} from '../../src/api/bodies/limits.ts'
import { FILE_LOOSE_MAX_BYTES } from '../../src/files/limits.ts'
import { FILE_INLINE_MAX_BYTES } from '../../src/limits/files.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../../src/limits/requests.ts'
import { FILE_MAX_BYTES } from '../../src/limits/settings.ts'
import { until } from '../../scripts/lab/rig/until.ts'
import { ADMIN_KEY } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const { url } = sharedSatchel()
const { port } = new URL(url)

async function made(path: string, body: object): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(201)
  return (await response.json()) as Record<string, string>
}

/** Sends this much of a larger body, then nothing more. Resolves once it is on its way. */
async function stalled(
  path: string,
  bytes: number,
  headers: Readonly<Record<string, string>>,
  method = 'POST',
): Promise<Socket> {
  const lines = Object.entries({ Host: 'satchel', 'Content-Length': `${bytes + 10}`, ...headers })
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  await new Promise((resolve) => socket.write(head + ' '.repeat(bytes), resolve))
  return socket
}

it('stalled bodies at a hook and a chat key refuse no message of another key, small or large', async () => {
  const hook = await made('/admin/hooks', { name: 'Stalled' })
  const [theirs, mine] = await Promise.all([1, 2].map(() => made('/admin/keys', { role: 'chat' })))
  const atHook = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  }
  const atMatch = { Authorization: `Bearer ${theirs?.['key']}`, 'Content-Type': 'application/json' }
  const large = WEBHOOK_BODY_MAX_BYTES - 20
  const small = 60_000
  const sockets = await Promise.all([
    ...Array.from({ length: LARGE_BODIES_TOTAL_MAX_BYTES / 2 ** 20 / 2 + 4 }, () =>
      stalled(hook['url'] ?? '', large, atHook),
    ),
    ...Array.from({ length: LARGE_BODIES_TOTAL_MAX_BYTES / 2 ** 20 / 2 + 4 }, () =>
      stalled('/v1/skills/match', large, atMatch),
    ),
    ...Array.from({ length: SMALL_BODIES_TOTAL_MAX_BYTES / 2 ** 16 + 20 }, () =>
      stalled(hook['url'] ?? '', small, atHook),
    ),
  ])
  try {
    const answers = await Promise.all(
      [10, 1_000, 50_000, 200_000].map(async (chars) => {
        const response = await fetch(`${url}/v1/chat`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${mine?.['key']}`,
            'Content-Type': 'application/json',
            Prefer: 'respond-async',
          },
          body: JSON.stringify({ message: 'a'.repeat(chars) }),
        })
        await response.body?.cancel()
        return response.status
      }),
    )
    expect(answers).toEqual([202, 202, 202, 202])
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

it('interrupted uploads release their reserved storage within seconds', async () => {
  const { key } = await made('/admin/keys', { role: 'chat' })
  const auth = { Authorization: `Bearer ${key}` }
  const thread = await fetch(`${url}/v1/threads`, { method: 'POST', headers: auth })
  const { thread_id } = (await thread.json()) as { readonly thread_id: string }
  const path = `/v1/threads/${thread_id}/files/uploads/cut.bin`
  const put = async (): Promise<number> => {
    const body = 'x'.repeat(FILE_INLINE_MAX_BYTES + 1)
    return (await fetch(`${url}${path}`, { method: 'PUT', headers: auth, body })).status
  }
  // Together almost as much as a thread's unreferenced files may have: the remaining few MiB are less than one part.
  const whole = FILE_LOOSE_MAX_BYTES / FILE_MAX_BYTES
  const sizes = Array.from({ length: whole }, (_, at) => FILE_MAX_BYTES - (at === 0 ? 4 * 2 ** 20 : 0))
  const sockets = await Promise.all(
    sizes.map((bytes) => stalled(path, 1, { ...auth, 'Content-Length': String(bytes) }, 'PUT')),
  )
  // On a busy machine the last one may arrive after the first would have been refused for its silence.
  const alive = setInterval(() => {
    for (const socket of sockets) socket.write(' '.repeat(BODY_WINDOW_MIN_BYTES))
  }, BODY_SILENCE_MAX_MS / 4)
  try {
    await until('the uploads hold all the room', async () => (await put()) === 413)
  } finally {
    clearInterval(alive)
    for (const socket of sockets) socket.destroy()
  }
  await until('the room is free again', async () => (await put()) < 300)
})
