// Guards the limits of Python scripts: no script exceeds them, the answer names the limit that was reached, and other
// jobs are served meanwhile.

import { afterEach, describe, expect, test } from 'vitest'

import { ask, child, python } from './python-fixture.ts'

import type { Answer } from './python-fixture.ts'

const WALL = { wallMs: 150 }
/** A timeout for a test that never ends: stopping usually takes a second and a half. */
const NEVER_MS = 240_000

/** After each test, the same isolate serves the next job as if nothing had happened. */
afterEach(async () => {
  expect((await python('print("well")')).stdout).toBe('well\n')
})

describe('time', () => {
  test.each([
    ['a loop', 'while True: pass'],
    [
      'a loop that catches everything',
      'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    ],
    [
      'a loop that ignores SIGINT',
      'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass',
    ],
    ['a sum in C', 'sum(range(10**12))'],
    ['an iterator in C', 'import collections, itertools\ncollections.deque(itertools.repeat(1), maxlen=0)'],
    ['a regular expression', 'import re\nre.match(r"(a+)+$", "a" * 40 + "b")'],
    ['a huge power', 'x = 10**10**9'],
    ['a factorial', 'import math\nmath.factorial(10**7)'],
    ['a huge number as text', 'import sys\nsys.set_int_max_str_digits(0)\nx = str(7**3000000)'],
    ['an exponential hash', 'a = ()\nfor i in range(100): a = (a, a)\nhash(a)'],
    ['sorting', 'import random\nx = [random.random() for _ in range(10**5)]\nwhile 1: sorted(x)'],
    ['replacing', 'x = "ab" * 10**6\nwhile 1: x.replace("a", "c")'],
    ['copying', 'x = bytes(10**7)\nwhile 1: bytearray(x)'],
    ['catching MemoryError', 'while True:\n  try: bytearray(10**9)\n  except MemoryError: pass'],
    ['sleeping', 'import time\ntime.sleep(100)'],
    ['sleeping on', 'import time\nwhile 1:\n  try: time.sleep(100)\n  except BaseException: pass'],
    ['a finalizer', 'class A:\n  def __del__(self):\n    while True: pass\nA()'],
    ['an exit handler', 'import atexit\n@atexit.register\ndef f():\n  while True: pass'],
    [
      'creating files forever',
      'i = 0\nwhile 1:\n  i += 1\n  try: open(f"/tmp/{i}", "w").close()\n  except OSError: pass',
    ],
    [
      'an event loop without tasks',
      'import asyncio\nasync def f(): await asyncio.Event().wait()\nasyncio.run(f())',
    ],
  ])('ends %s, and none of its changes are kept', { timeout: NEVER_MS }, async (_, code) => {
    const answer = await python(`open("/mnt/user-data/outputs/x", "w").write("x")\n${code}`, { limits: WALL })
    expect(answer).toMatchObject({ exitCode: 124, stopped: 'time', changes: {} })
  })

  test('ends a wait for a host that does not answer', { timeout: NEVER_MS }, async () => {
    const files = { '/mnt/user-data/workspace/a': 'a' }
    const read = async (): Promise<null> => new Promise(() => {})
    expect(await python('open("a")', { files, limits: WALL, host: { read } })).toMatchObject({
      stopped: 'time',
    })
  })

  test('shows where the script was', { timeout: NEVER_MS }, async () => {
    const limits = { wallMs: 300 }
    const { stderr } = await python('def spin():\n  while True: pass\nspin()', { limits })
    expect(stderr).toMatch(/line 2, in spin\n[^]*KeyboardInterrupt\n$/)
  })
})

test('steps end a loop where the clock would not', { timeout: NEVER_MS }, async () => {
  const answer = await python('while True: pass', { limits: { steps: 10_000_000 } })
  expect(answer).toMatchObject({ exitCode: 124, stopped: 'steps' })
  expect(answer.steps).toBeGreaterThan(10_000_000)
  expect(answer.steps).toBeLessThan(13_000_000)
})

describe('memory', () => {
  test.each([
    'bytearray(10**9)',
    '"a" * 10**9',
    'list(range(10**9))',
    'x = []\nwhile True: x.append("a" * 10**6)',
    'open("/dev/zero", "rb").read()',
  ])('is refused: %s', async (code) => {
    const answer = await python(code)
    expect(answer).toMatchObject({ exitCode: 1, stopped: 'memory' })
    expect(answer.stderr).toContain('MemoryError')
  })

  test('of 10 GB is refused', async () => {
    expect((await python('bytearray(10**10)')).stderr).toMatch(/OverflowError|MemoryError/)
  })

  test('that was refused can be handled without a failure', async () => {
    const code = 'try: bytearray(10**9)\nexcept MemoryError: print("smaller")'
    expect(await python(code)).toMatchObject({ exitCode: 0, stdout: 'smaller\n', stopped: null })
  })

  test.each([
    ['calls', 'def f(): f()\nf()', /RecursionError/],
    ['calls without a limit', 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()', /./],
    ['nested lists', 'a = []\nfor i in range(10**5): a = [a]\nrepr(a)', /too deep|RecursionError/],
    [
      'iterators',
      'it = iter([1])\nfor i in range(10**5): it = map(str, it)\nnext(it)',
      /too deep|RecursionError/,
    ],
  ])('of the stack ends too deep %s', { timeout: NEVER_MS }, async (_, code, words) => {
    const answer = await python(code, { limits: { wallMs: 5_000 } })
    expect(answer.exitCode).not.toBe(0)
    expect(answer.stderr).toMatch(words)
  })
})

describe('space', () => {
  const noSpace = { exitCode: 1, stopped: 'files', changes: {} }

  test.each([
    ['a file that grows', 'f = open("big", "wb")\nwhile 1: f.write(b"x" * 10**6)'],
    ['a file extended far', 'open("big", "wb").truncate(10**9)'],
    ['a byte at a far offset', 'f = open("big", "wb")\nf.seek(10**9)\nf.write(b"x")\nf.close()'],
    ['100,000 files', 'for i in range(100_000): open(str(i), "w").close()'],
    ['nested folders', 'import os\nwhile 1:\n  os.mkdir("d")\n  os.chdir("d")'],
  ])('is refused: %s', async (_, code) => {
    const answer = await python(code)
    expect(answer).toMatchObject(noSpace)
    expect(answer.stderr).toContain('No space left on device')
  })

  test('for output ends the script at once, with the output so far', async () => {
    const answer = await python('while True: print("x" * 1000)', { limits: { outputBytes: 50_000 } })
    expect(answer).toMatchObject({ stopped: 'output' })
    expect(answer.stdout).toHaveLength(50_000)
  })

  test('for a gigabyte of output ends the script, too', async () => {
    const answer = await python('import os\nfor i in range(1024): os.write(1, bytes(1 << 20))')
    expect(answer).toMatchObject({ stopped: 'output' })
  })
})

describe('while a script spins', () => {
  const SPIN = { argv: ['python3', '-c', 'while True: pass'], id: 'spin', limits: { wallMs: 10_000 } }

  test(
    'the child answers, reports that it is busy, and stops on request',
    { timeout: NEVER_MS },
    async () => {
      const guest = child('cancelled')
      const spinning = ask(SPIN, guest)
      await guest.ping()
      expect(await ask({ argv: ['python3', '-c', '1'] }, guest)).toEqual({ busy: true })
      await guest.cancel('somebody else')
      expect(await ask({ argv: ['python3', '-c', '1'] }, guest)).toEqual({ busy: true })
      await guest.cancel('spin')
      expect(await spinning).toMatchObject({ exitCode: 130, stopped: 'cancelled' })
    },
  )

  test('a sleeping one stops, too', { timeout: NEVER_MS }, async () => {
    const guest = child('cancelled')
    const sleeping = ask({ ...SPIN, argv: ['python3', '-c', 'import time; time.sleep(60)'] }, guest)
    await guest.ping()
    await guest.cancel('spin')
    expect(await sleeping).toMatchObject({ stopped: 'cancelled' })
  })

  test('other isolates run theirs', { timeout: NEVER_MS }, async () => {
    const spinning = ask(SPIN, child('cancelled'))
    const others: Answer[] = []
    for (let count = 0; count < 5; count += 1) others.push(await python('print(1)'))
    await child('cancelled').cancel('spin')
    expect(others.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 5 }, () => '1\n'))
    expect(await spinning).toMatchObject({ stopped: 'cancelled' })
  })
})
