// Guards that a script reaches only QuickJS and its own files, and leaves nothing behind for the next.

import { describe, expect, test } from 'vitest'

import { child, run, script } from './node-fixture.ts'

const MANY_MS = 120_000

describe('escapes', () => {
  test.each([
    ['fetch("http://example.com")', /fetch failed/],
    ['import("cloudflare:workers")', /ERR_UNSUPPORTED_ESM_URL_SCHEME/],
    ['import("workerd:unsafe")', /ERR_UNSUPPORTED_ESM_URL_SCHEME/],
    ['import("https://example.com/a.js")', /ERR_UNSUPPORTED_ESM_URL_SCHEME/],
    ['import("data:text/javascript,1")', /ERR_UNSUPPORTED_ESM_URL_SCHEME/],
    ['import("./quickjs.wasm")', /ERR_MODULE_NOT_FOUND/],
    ['import("node:nothing")', /ERR_UNKNOWN_BUILTIN_MODULE/],
    ['process.binding("fs")', /not available/],
    ['require("vm").runInThisContext("1")', /not available/],
    ['new WebAssembly.Module(new Uint8Array(8))', /WebAssembly is not defined/],
    ['host("exit", 0)', /host is not defined/],
  ])('%s leads nowhere', async (code, words) => {
    const { exitCode, stderr } = await script(code)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(words)
  })

  test.each([
    ['constructor.constructor', 'this.constructor.constructor("return this")() === globalThis'],
    ['Function', 'Function("return this")() === globalThis'],
    ['an indirect eval', '(0, eval)("this") === globalThis'],
  ])('%s gives the same globals', async (_, code) => {
    expect((await run({ argv: ['node', '-p', code] })).stdout).toBe('true\n')
  })

  test('the globals hold nothing of the surrounding isolate', async () => {
    const names =
      'caches,Response,Request,WebSocket,HTMLRewriter,scheduler,WorkerEntrypoint,self,importScripts,Deno,Bun,std,os,bjson,InternalError,wrong,prelude'
    const { stdout } = await run({
      argv: ['node', '-p', `${JSON.stringify(names)}.split(",").filter((n) => n in globalThis).join()`],
    })
    expect(stdout).toBe('\n')
  })

  test('a script that changes what the modules rely on harms only itself', async () => {
    const code = `
      Object.prototype.failed = { code: 'x' }; Array.prototype.map = () => { throw 1 }; JSON.parse = () => ({}); String.prototype.replace = () => ''
      Promise.prototype.then = function () { return this }; Reflect.construct = null; globalThis.Error = null; Map.prototype.get = () => 1
      require('fs').writeFileSync('/mnt/skills/a', 'x')`
    await script(code)
    expect(
      await script('console.log([1].map((x) => x + 1), JSON.parse("2"), "ab".replace("a", ""), {}.failed)'),
    ).toMatchObject({ stdout: '[ 2 ] 2 b undefined\n', exitCode: 0 })
  })

  test.each([
    '/mnt/skills/public/x/../../../user-data/workspace/in',
    '/mnt/user-data/workspace/./in',
    '//mnt//user-data/workspace/in',
  ])('%s is the file it names', async (path) => {
    const files = { '/mnt/user-data/workspace/in': 'in', '/mnt/skills/public/x/a': 'a' }
    expect(
      (await script(`process.stdout.write(require("fs").readFileSync(${JSON.stringify(path)}))`, { files }))
        .stdout,
    ).toBe('in')
  })

  test.each(['../../../../etc/passwd', '/proc/self/environ', '/dev/mem', 'file:///etc/passwd'])(
    '%s does not exist',
    async (path) => {
      expect((await script(`require("fs").readFileSync(${JSON.stringify(path)})`)).stderr).toContain('ENOENT')
    },
  )
})

describe('leftovers', () => {
  test('nothing passes between 200 jobs of one isolate', { timeout: MANY_MS }, async () => {
    const guest = child('many')
    const code = `
      const seen = [globalThis.left, Object.prototype.left, [].left, process.env.LEFT, process.exitCode, require('fs').existsSync('/tmp/left'), require('fs').left, console.left, Math.left, Symbol.for('left').left, Buffer.left]
      console.log(seen.filter((x) => x).length, process.listenerCount('exit'), Object.keys(require.cache).length)
      globalThis.left = Object.prototype.left = Array.prototype.left = 1
      process.env.LEFT = '1'; require('fs').left = console.left = Math.left = Buffer.left = 1; require('fs').writeFileSync('/tmp/left', 'x')
      process.on('exit', () => {}); setInterval(() => {}, 1e6).unref(); globalThis.secret = 'the-secret-' + 'of-a-job'`
    for (let job = 0; job < 200; job += 1) {
      const { stdout, stderr } = await script(code, {}, guest)
      expect(stderr).toBe('')
      expect(stdout).toBe('0 0 0\n')
    }
  })

  test('random values differ in each job', async () => {
    const drawn = await Promise.all(
      [1, 2].map(
        async (n) =>
          (
            await run(
              { argv: ['node', '-p', 'Math.random() + require("crypto").randomUUID()'] },
              child(`chance-${n}`),
            )
          ).stdout,
      ),
    )
    drawn.push(
      (
        await run(
          { argv: ['node', '-p', 'Math.random() + require("crypto").randomUUID()'] },
          child('chance-1'),
        )
      ).stdout,
    )
    expect(new Set(drawn).size).toBe(3)
  })

  test('a stopped job leaves nothing to the next', async () => {
    const guest = child('stopped')
    await script(
      'globalThis.left = 1; require("fs").readFileSync("a"); for (;;);',
      { files: { '/mnt/user-data/workspace/a': 'a' }, limits: { wallMs: 200 } },
      guest,
    )
    await script('let a = []; for (;;) a.push({ left: "left" })', {}, guest)
    expect((await script('console.log(globalThis.left, process.argv.length)', {}, guest)).stdout).toBe(
      'undefined 1\n',
    )
  })
})
