// Promise: a server that closes the connection at once causes no crash, however slowly its bytes are stored. A broken
// connection is retried once and then reported, and a command that waits for something that cannot come ends with an
// explanation.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { afterEach, expect, test } from 'vitest'

import { httpGet } from '../../../scripts/add/http-get.ts'
import { Web } from '../../../scripts/add/web.ts'

let server: Server | null = null
afterEach(() => server?.close())

/** Handles each connection with the next of these functions, and all further ones with the last. */
async function serve(...answers: readonly ((socket: Socket) => void)[]): Promise<string> {
  let at = 0
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answers[Math.min(at++, answers.length - 1)]?.(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x` // it listens on a port
}

const webFor = (named: string): Web =>
  new Web({ fetch: httpGet, lookup: async () => ['127.0.0.1'], namedUrl: named })

const BODY = Buffer.alloc(600_000, 'abcdefg')
const HEAD = `HTTP/1.0 200 OK\r\nContent-Type: application/gzip\r\nContent-Length: ${BODY.length}\r\n\r\n`

const whole = (socket: Socket): void => {
  socket.write(HEAD)
  socket.end(BODY)
}
const half = (socket: Socket): void => {
  socket.write(HEAD)
  socket.write(BODY.subarray(0, 300_000), () => socket.destroy())
}

/** Downloads everything while storing it slowly. Returns the bytes or the error message. */
async function slowly(url: string): Promise<Buffer | string> {
  let kept: Uint8Array[] = []
  const got = await webFor(url).stream(url, BODY.length, async () => {
    kept = []
    return async (chunk) => {
      for (let turns = 0; turns < 50; turns++) await turn()
      kept.push(chunk)
    }
  })
  return got.ok ? Buffer.concat(kept) : got.error.detail
}

test('a connection goes to the checked address, even if the name resolves to another by then', async () => {
  const { port } = new URL(await serve(whole))
  const ask = (addresses: readonly string[]) =>
    httpGet(`http://name.invalid:${port}/x`, { headers: {}, signal: AbortSignal.timeout(20_000), addresses })
  expect(await ask(['127.0.0.1'])).toMatchObject({ status: 200 })
  await expect(ask([])).rejects.toThrow('no address is known for name.invalid')
})

test('a server that closes right after the last byte is read to its end', async () => {
  const url = await serve(whole)
  for (let times = 0; times < 5; times++) expect(BODY.equals((await slowly(url)) as Buffer)).toBe(true) // the cast is safe: if the value is an error, the comparison fails
})

test('an interrupted body is requested again, from its start', async () => {
  expect(BODY.equals((await slowly(await serve(half, whole))) as Buffer)).toBe(true) // the cast is safe: if the value is an error, the comparison fails
})

test('a body that is interrupted twice is reported in one sentence', async () => {
  expect(await slowly(await serve(half))).toMatch(/^http:.* cannot be read: .*tried twice\.$/)
  expect(await slowly(await serve((socket) => socket.destroy()))).toMatch(/cannot be read/)
  expect(await slowly(await serve((socket) => socket.end('no HTTP\r\n\r\n')))).toMatch(/cannot be read/)
})

test('a redirect is followed by its rules, and a status is reported', async () => {
  const moved = (socket: Socket): void => void socket.end('HTTP/1.0 302 x\r\nLocation: /y\r\n\r\nthere')
  const gone = (socket: Socket): void => void socket.end('HTTP/1.0 404 x\r\n\r\nno')
  expect(await slowly(await serve(moved, whole))).toEqual(BODY)
  expect(await slowly(await serve(moved, gone))).toMatch(/\/y responded with status 404/)
})

/** Runs a command with this body. Returns its status and output. */
async function command(body: string): Promise<{ readonly status: number | null; readonly output: string }> {
  const module = fileURLToPath(new URL('../../../scripts/lib/command.ts', import.meta.url))
  const code = `import { command } from ${JSON.stringify(module)}; command('', { options: {} }, ${body})`
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', code])
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, output: output.trim() }
}

test('a command whose wait can never end exits with an explanation and status 1', async () => {
  expect(await command('() => new Promise(() => {})')).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^The command did not finish/),
  })
  expect(await command('async () => 2')).toEqual({ status: 2, output: '' })
  expect(await command("async () => { throw new Error('why') }")).toEqual({ status: 1, output: 'why' })
})
