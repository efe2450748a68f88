// Guards the limits of Node scripts: no script exceeds them, the answer names the limit that was reached, and other
// jobs are served meanwhile.

import { afterEach, describe, expect, test } from 'vitest'

import { ask, child, run, script } from './node-fixture.ts'

import type { Answer } from './node-fixture.ts'

const WALL = { wallMs: 150 }
/** A timeout for a test that never ends: stopping usually takes a second and a half. */
const NEVER_MS = 240_000

/** After each test, the same isolate serves the next job as if nothing had happened. */
afterEach(async () => {
  expect((await script('console.log("well")')).stdout).toBe('well\n')
})

describe('time', () => {
  test.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches everything', 'while (true) { try { while (true); } catch {} }'],
    ['a regular expression', '/(a+)+$/.test("a".repeat(40) + "b")'],
    ['searching a sparse array', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['searching from the end', 'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)'],
    ['joining empty items', 'new Array(2 ** 29).join()'],
    ['sorting', 'const a = Array.from({ length: 1e5 }, Math.random); for (;;) a.slice().sort()'],
    ['sorting numbers', 'const t = new Float64Array(1e6); for (;;) t.sort()'],
    ['copying', 'const t = new Uint8Array(1e7); for (;;) t.slice()'],
    ['replacing', 'const s = "ab".repeat(1e6); for (;;) s.replaceAll("a", "c")'],
    ['recursion in finally', 'function f() { try { f() } finally { f() } }; f()'],
    ['promises', '(async () => { for (;;) await 1 })()'],
    ['thenables', 'const t = { then(r) { r(t) } }; Promise.resolve(t)'],
    ['ticks', 'const t = () => process.nextTick(t); t()'],
    ['immediates', 'const t = () => setImmediate(t); t()'],
    ['an interval', 'setInterval(() => {}, 0)'],
    ['microtasks', 'const q = () => queueMicrotask(q); q()'],
    ['waiting', 'await new Promise((r) => setTimeout(r, 1e6))'],
    ['compiling', 'for (;;) new Function("return " + "1+".repeat(1e5) + "1")'],
    ['digests', 'for (;;) require("crypto").createHash("sha256").update("x".repeat(1e6)).digest()'],
    ['unpacking', 'const z = require("zlib"), b = z.gzipSync(Buffer.alloc(1e6)); for (;;) z.gunzipSync(b)'],
    ['addresses', 'for (;;) new URL("http://a/" + "x".repeat(1e5))'],
    ['packing', 'const z = require("zlib"), b = Buffer.alloc(8e6); for (;;) z.gzipSync(b)'],
    ['cyclic garbage', 'for (;;) { const o = { s: "x".repeat(1e5) + Math.random() }; o.f = () => o.s }'],
    ['a comparator', '[2, 1].sort(() => { for (;;); })'],
    [
      'structured clones',
      'const t = Array.from({ length: 1e4 }, (_, i) => ({ i })); for (;;) structuredClone(t)',
    ],
    ['sorting long words', 'const a = "a".repeat(2e6), b = a + "b"; for (;;) a.localeCompare(b)'],
    ['languages', 'for (;;) (1.5).toLocaleString()'],
    ['catching memory errors', 'const a = []; for (;;) try { a.push(new Array(1e5).fill(0)) } catch {}'],
    ['an exit handler', 'process.on("exit", () => { for (;;); })'],
    ['an error handler', 'process.on("uncaughtException", () => { for (;;); }); throw 1'],
    [
      'creating files forever',
      'const fs = require("fs"); for (let i = 0; ; i++) try { fs.writeFileSync("/tmp/" + i, "") } catch {}',
    ],
    [
      'deleting types',
      'const m = require("module"); for (;;) m.stripTypeScriptTypes("const a: number = 1;".repeat(1e4))',
    ],
  ])('ends %s, and none of its changes are kept', { timeout: NEVER_MS }, async (_, code) => {
    const first = 'require("fs").writeFileSync("/mnt/user-data/outputs/x", "x");\n'
    const answer = await run({
      argv: [
        'node',
        '--input-type=commonjs',
        '-e',
        code.startsWith('await') ? `(async () => { ${code} })()` : first + code,
      ],
      limits: WALL,
    })
    expect(answer).toMatchObject({ exitCode: 124, stopped: 'time', changes: {} })
  })

  test('ends a wait for a host that does not answer', { timeout: NEVER_MS }, async () => {
    const files = { '/mnt/user-data/workspace/a': 'a' }
    const read = async (): Promise<null> => new Promise(() => {})
    expect(
      await script('require("fs").readFileSync("a")', { files, limits: WALL, host: { read } }),
    ).toMatchObject({ stopped: 'time' })
  })
})

describe('other limits', () => {
  test('on steps end a loop', { timeout: NEVER_MS }, async () => {
    expect(await script('for (;;);', { limits: { steps: 50_000_000 } })).toMatchObject({
      exitCode: 124,
      stopped: 'steps',
    })
  })

  test.each([
    ['much output at once', 'for (;;) process.stdout.write("x".repeat(1e6))'],
    ['a gigabyte', 'const s = "x".repeat(1e5); for (let i = 0; i < 1e4; i++) console.log(s)'],
    ['errors', 'const s = "x".repeat(1e5); for (;;) console.error(s)'],
  ])('on output end %s', { timeout: NEVER_MS }, async (_, code) => {
    const answer = await script(code)
    expect(answer).toMatchObject({ exitCode: 141, stopped: 'output' })
    expect(answer.stdout.length + answer.stderr.length).toBe(1_000_000)
  })

  test.each([
    ['arrays of bytes', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
    ['objects', 'const a = []; for (;;) a.push({ x: 1 })'],
    ['a huge array', 'new Array(1e9).fill(0)'],
    ['a spread', 'const a = [...new Array(1e8).keys()]'],
    ['a generator', 'function* g() { for (;;) yield 1 }; [...g()]'],
  ])('on memory end %s', { timeout: NEVER_MS }, async (_, code) => {
    const answer = await script(code)
    expect(answer.stopped).toBe('memory')
    expect(answer.exitCode).not.toBe(0)
  })

  test.each([
    [
      '100,000 files',
      'const fs = require("fs"); for (let i = 0; i < 1e5; i++) fs.writeFileSync("/tmp/" + i, "x")',
    ],
    [
      'a large file',
      'const fs = require("fs"); for (;;) fs.appendFileSync("/mnt/user-data/outputs/x", "x".repeat(1e6))',
    ],
  ])('on quota end %s', { timeout: NEVER_MS }, async (_, code) => {
    expect(await script(code)).toMatchObject({ exitCode: 1, stopped: 'files', changes: {} })
  })

  test.each([
    ['10 GB', 'new ArrayBuffer(1e10)'],
    ['doubling text', 'let s = "x"; for (;;) s += s'],
    ['a huge power', '2n ** (2n ** 40n)'],
    ['numbers that square themselves', 'let x = 7n; for (;;) x *= x'],
    ['recursion', 'const f = () => f(); f()'],
    ['a getter of itself', 'const o = { get x() { return o.x } }; o.x'],
    ['a proxy of itself', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.a'],
    ['text of itself', 'const o = { toString() { return "" + o } }; "" + o'],
    ['deep JSON', 'JSON.parse("[".repeat(1e6))'],
    ['deep arrays as JSON', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)'],
    ['deep arrays as text', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a)'],
    ['deep code', 'eval("(".repeat(1e5))'],
    ['a deep expression', 'new RegExp("(".repeat(1e5))'],
  ])('are not needed for %s, which fails by itself', { timeout: NEVER_MS }, async (_, code) => {
    const { exitCode, stderr } = await script(code)
    expect([1, 134]).toContain(exitCode)
    expect(stderr).not.toBe('')
  })
})

describe('a large operation of the engine for a script', () => {
  test.each([
    ['a URL', 'new URL("http://a/" + "x".repeat(3e6))', 'Invalid URL'],
    ['words of a text', '[...new Intl.Segmenter().segment("a ".repeat(2e5))]', 'Intl accepts up to'],
    ['a number', '(10n ** 250000n).toLocaleString()', 'Intl accepts up to'],
  ])('is limited: %s', async (_, code, words) => {
    const { exitCode, stderr } = await script(code)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(words)
  })

  test('does not change the order of long texts', async () => {
    const code = `const long = 'a'.repeat(50_000)
      console.log([long + 'b', long + 'ä', long + 'a', long, 'b' + long].toSorted((x, y) => x.localeCompare(y))
        .map((text) => text.replaceAll(long, '-')).join(' '))`
    expect((await script(code)).stdout).toBe('- -a -ä -b b-\n')
  })

  test('returns any text unchanged', async () => {
    const code = `const fs = require('fs')
      for (const text of ['x'.repeat(100), 'ÿé\\x85'.repeat(100), '日本😀'.repeat(100), 'a'.repeat(99) + '\\ud800'])
        console.log(new URL('http://a/?' + encodeURIComponent(text.replace('\\ud800', '?'))).searchParams.keys().next().value === text.replace('\\ud800', '?'),
          (fs.writeFileSync('/tmp/a', text), fs.readFileSync('/tmp/a', 'utf8') === text.toWellFormed()))`
    expect((await script(code)).stdout).toBe('true true\n'.repeat(4))
  })
})

describe('meanwhile', () => {
  test('a busy child reports it at once, and can be stopped', { timeout: NEVER_MS }, async () => {
    const guest = child('held')
    const held: Promise<Answer> = script('for (;;);', { id: 'the-job' }, guest)
    for (let answered = 0; answered < 20; answered += 1) {
      await guest.ping()
      const second = await ask({ argv: ['node', '-e', '1'] }, guest)
      expect(second).toEqual({ busy: true })
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    await guest.cancel('another')
    await guest.cancel('the-job')
    expect(await held).toMatchObject({ exitCode: 130, stopped: 'cancelled', changes: {} })
    expect((await script('console.log(1)', {}, guest)).stdout).toBe('1\n')
  })

  test.each([
    ['searching a sparse array', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['a regular expression', '/(a+)+$/.test("a".repeat(40) + "b")'],
    ['required code', 'require("./a.js")'],
  ])('%s lets others be served', { timeout: NEVER_MS }, async (_, code) => {
    const guest = child('spinning')
    let ended = false
    const files = { '/mnt/user-data/workspace/a.js': 'for (;;);' }
    const spinning = script(code, { files, limits: WALL }, guest).finally(() => (ended = true))
    let served = 0
    while (!ended) {
      await guest.ping()
      served += 1
      // Endless calls between two isolates of one thread would never let its timers run.
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(await spinning).toMatchObject({ stopped: 'time' })
    expect(served).toBeGreaterThan(1)
  })
})
