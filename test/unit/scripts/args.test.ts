// Promise: a mistyped command line is answered with an explanation, never with a stack trace or a guess.

import { createServer } from 'node:net'

import { expect, test } from 'vitest'

import { readArgs, readPort } from '../../../scripts/lib/args.ts'
import { throttled } from '../../../scripts/lib/paced.ts'
import { bindablePort, freePort } from '../../../scripts/lib/free-port.ts'

test('flags are read, unknown ones named', () => {
  const options = { skills: { type: 'string', multiple: true } } as const
  const good = readArgs({ args: ['--skills', 'a', '--skills=b'], options })
  expect(good.ok && good.value.values.skills).toEqual(['a', 'b'])
  const bad = readArgs({ args: ['--skils', 'a'], options })
  expect(bad.ok ? '' : bad.error).toBe("Unknown option '--skils'")
})

test('a port is a number from 0 to 65535', () => {
  expect(readPort('8787', 'PORT')).toEqual({ ok: true, value: 8_787 })
  for (const text of ['', '65536', '-1', '80a', '8787.5', '0x50'])
    expect(readPort(text, 'PORT')).toMatchObject({ ok: false, error: expect.stringContaining('PORT') })
})

test('a port in use is detected, and a free one is accepted', async () => {
  const port = await freePort()
  expect(await bindablePort(port)).toBe(port)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(await bindablePort(port)).toBeNull()
  await new Promise((resolve) => server.close(resolve))
})

test('progress is not printed at every step', () => {
  const output: number[] = []
  const [each, none] = [0, 3_600_000].map((ms) => throttled(ms, (step: number) => output.push(step)))
  for (const step of [1, 2]) {
    each?.(step)
    none?.(step)
  }
  expect(output).toEqual([1, 2])
})
