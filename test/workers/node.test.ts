// Guards that a script finds in the sandbox what Node would provide: arguments, streams, files, modules, timers and
// globals. The files that it wrote are returned.

import { describe, expect, test } from 'vitest'

import { checkScripts } from '../../src/sandbox/compatibility/check-scripts.ts'
import { run, script, WORK } from './node-fixture.ts'

/** Runs a file of the workspace with arguments. */
const file = async (name: string, files: Record<string, string>, ...args: string[]) =>
  run({
    argv: ['node', name, ...args],
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.startsWith('/') ? path : `${WORK}/${path}`, text]),
    ),
  })

describe('the command line', () => {
  test('prints output', async () => {
    expect(await script('console.log("hello")')).toMatchObject({
      exitCode: 0,
      stdout: 'hello\n',
      stderr: '',
      stopped: null,
      changes: {},
    })
  })

  test('prints the value of an expression', async () => {
    expect((await run({ argv: ['node', '-p', '[1, { a: "b" }]'] })).stdout).toBe("[ 1, { a: 'b' } ]\n")
  })

  test('takes a script from stdin', async () => {
    expect((await run({ argv: ['node'], stdin: 'console.log(6 * 7)' })).stdout).toBe('42\n')
    expect((await run({ argv: ['node', '-', 'a'], stdin: 'console.log(process.argv[2])' })).stdout).toBe(
      'a\n',
    )
  })

  test('passes arguments and environment on', async () => {
    const answer = await run({
      argv: ['node', 'a.js', '-x', 'two words'],
      env: { KEY: 'value' },
      files: { [`${WORK}/a.js`]: 'console.log(process.argv.slice(2), process.argv[1], process.env.KEY)' },
    })
    expect(answer.stdout).toBe(`[ '-x', 'two words' ] ${WORK}/a.js value\n`)
  })

  test.each([
    [['node', '--version'], 0, /^v22\.\d+\.\d+\n$/],
    [['node', '--help'], 0, /^Usage: node/],
    [['node', '--inspect', 'a.js'], 9, /^$/],
    [['node', '-e'], 9, /^$/],
  ])('answers %j at once', async (argv, exitCode, stdout) => {
    const answer = await run({ argv })
    expect(answer.exitCode).toBe(exitCode)
    expect(answer.stdout).toMatch(stdout)
  })

  test.each([
    ['process.exit(3)', 3],
    ['process.exitCode = 4', 4],
    ['process.on("exit", (code) => { console.log("bye", code) }); process.exit(5)', 5],
    ['throw new Error("no")', 1],
    ['Promise.reject(new Error("no"))', 1],
    ['(async () => { throw new Error("no") })()', 1],
    ['process.on("uncaughtException", () => process.exit(6)); throw 1', 6],
    ['await new Promise(() => {})', 13],
    ['const = 1', 1],
  ])('%s ends with %i', async (code, exitCode) => {
    expect(await script(code)).toMatchObject({ exitCode, stopped: null })
  })

  test('does not exit on a rejection that is handled later in the same turn', async () => {
    expect((await script('const p = Promise.reject(1); p.catch(() => console.log("caught"))')).stdout).toBe(
      'caught\n',
    )
  })

  test('shows where an error was thrown', async () => {
    const { stderr, exitCode } = await file('a.js', { 'a.js': 'function f() {\n  null.x\n}\nf()\n' })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`${WORK}/a.js:2\n  null.x\n`)
    expect(stderr).toContain("TypeError: Cannot read properties of null (reading 'x')")
    expect(stderr).toContain(`at f (${WORK}/a.js:2:`)
  })
})

describe('files', () => {
  const IN = { [`${WORK}/in.txt`]: 'eins\nzwei é\n' }

  test('are read when they are requested, and returned as changed, created and removed', async () => {
    const requested: string[] = []
    const files: Record<string, string> = { ...IN, [`${WORK}/other.txt`]: 'o', [`${WORK}/gone.txt`]: 'g' }
    const code = `
      const fs = require('fs')
      const text = fs.readFileSync('in.txt', 'utf8')
      fs.writeFileSync('/mnt/user-data/outputs/out.json', JSON.stringify(text.split('\\n')))
      fs.appendFileSync('in.txt', 'drei\\0')
      fs.unlinkSync('gone.txt')
      fs.mkdirSync('a/b/c', { recursive: true })
      fs.writeFileSync('/tmp/dropped', 'x')
      console.log(fs.readdirSync('.').join())`
    const read = async (path: string) => {
      requested.push(path)
      return new TextEncoder().encode(files[path])
    }
    const answer = await script(code, { files, host: { read } })
    expect(answer.stdout).toBe('a,in.txt,other.txt\n')
    expect(answer.changes).toEqual({
      // The calling shell sees it, and the host does not keep it.
      '/tmp/dropped': 'x',
      '/mnt/user-data/outputs/out.json': '["eins","zwei é",""]',
      [`${WORK}/in.txt`]: 'eins\nzwei é\ndrei\0',
      [`${WORK}/gone.txt`]: null,
    })
    expect(requested).toEqual([`${WORK}/in.txt`])
  })

  test('can be used with callbacks, promises, streams and file descriptors', async () => {
    const code = `
      const fs = require('fs')
      fs.readFile('in.txt', 'utf8', (error, text) => console.log('callback', text.length))
      const fd = fs.openSync('in.txt'); const part = Buffer.alloc(4)
      console.log('sync', fs.readSync(fd, part, 0, 4, 5), part.toString()); fs.closeSync(fd)
      fs.promises.stat('in.txt').then((s) => console.log('promise', s.size, s.isFile()))
      fs.createReadStream('in.txt').pipe(fs.createWriteStream('copy.txt')).on('finish', () => console.log('piped'))`
    const answer = await script(code, { files: IN })
    expect(answer.stdout.split('\n').toSorted().join('|')).toBe(
      '|callback 12|piped|promise 13 true|sync 4 zwei',
    )
    expect(answer.changes).toEqual({ [`${WORK}/copy.txt`]: 'eins\nzwei é\n' })
  })

  test.each([
    ['fs.readFileSync("nope")', 'ENOENT', "ENOENT: no such file or directory, open 'nope'"],
    ['fs.readFileSync("/tmp")', 'EISDIR', 'EISDIR: illegal operation on a directory, read'],
    ['fs.mkdirSync("/tmp")', 'EEXIST', "EEXIST: file already exists, mkdir '/tmp'"],
    ['fs.rmdirSync("in.txt")', 'ENOTDIR', "ENOTDIR: not a directory, rmdir 'in.txt'"],
    ['fs.readdirSync("nope")', 'ENOENT', "ENOENT: no such file or directory, scandir 'nope'"],
    [
      'fs.writeFileSync("/mnt/skills/public/x/a", "")',
      'EROFS',
      "EROFS: read-only file system, open '/mnt/skills/public/x/a'",
    ],
    [
      'fs.unlinkSync("/mnt/skills/public/x/a")',
      'EROFS',
      "EROFS: read-only file system, unlink '/mnt/skills/public/x/a'",
    ],
    [
      'fs.writeFileSync("/etc/passwd", "")',
      'ENOENT',
      "ENOENT: no such file or directory, open '/etc/passwd'",
    ],
    ['fs.writeFileSync("/a", "")', 'EROFS', "EROFS: read-only file system, open '/a'"],
    [
      'fs.symlinkSync("/mnt/skills", "a")',
      'EPERM',
      "EPERM: operation not permitted, symlink '/mnt/skills' -> 'a'",
    ],
    ['fs.readFileSync("a\\0b")', 'ERR_INVALID_ARG_VALUE', /null bytes/],
    ['fs.readFileSync("x".repeat(300))', 'ENAMETOOLONG', /name too long/],
  ])('%s fails with %s', async (call, code, words) => {
    const files = { ...IN, '/mnt/skills/public/x/a': 'a' }
    const { stdout } = await script(
      `const fs = require("fs"); try { ${call} } catch (e) { console.log(JSON.stringify([e.code, e.message])) }`,
      { files },
    )
    const [seen, message] = JSON.parse(stdout) as [string, string]
    expect(seen).toBe(code)
    if (typeof words === 'string') expect(message).toBe(words)
    else expect(message).toMatch(words)
  })

  test("fail with the codes of Node's own errors, without addresses", async () => {
    const { stdout } = await script(`
      const show = (f) => { try { f() } catch (e) { console.log(e.stack.split('\\n')[0]); console.log(String(e)) } }
      show(() => require('util').parseArgs({ args: ['--x'] }))
      show(() => require('fs').readFileSync({}))
      show(() => new URL('x'))`)
    const path =
      'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string or an instance of Buffer or URL. Received an instance of Object'
    const option = "TypeError [ERR_PARSE_ARGS_UNKNOWN_OPTION]: Unknown option '--x'"
    const address = 'TypeError: Invalid URL'
    expect(stdout).toBe([option, option, path, path, address, address, ''].join('\n'))
  })
})

describe('modules', () => {
  test('of all kinds import each other', async () => {
    const files = {
      'a.mjs': `import { b } from './b.mjs'; import c, { d } from './c.cjs'; import t from './t.ts'; import j from './j.json' with { type: 'json' }
        import fs, { readFileSync } from 'node:fs'; import { join } from 'path'
        const { late } = await import('./late.mjs')
        console.log(b, c.d, d, t, j, fs.readFileSync === readFileSync, join('x', 'y'), late, import.meta.filename, import.meta.url)`,
      'b.mjs': 'export const b = 1',
      'c.cjs': 'exports.d = require("./e").e',
      'e.js': 'module.exports = { e: 2, __proto__: null }',
      't.ts': 'enum E { A, B }; interface X { a: number }; const x: X = { a: E.B }; export default x as X',
      'j.json': '[3]',
      'late.mjs': 'export const late = 4',
    }
    const { stdout, stderr } = await file('a.mjs', files)
    expect(stderr).toBe('')
    expect(stdout).toBe(`1 2 2 { a: 1 } [ 3 ] true x/y 4 ${WORK}/a.mjs file://${WORK}/a.mjs\n`)
  })

  test('in TypeScript keep their lines', async () => {
    const { stderr } = await file('a.ts', {
      'a.ts':
        'type A = {\n  a: number\n}\nconst a = (x: A): number => x.a\nthrow new Error(String(a({ a: 1 })))',
    })
    expect(stderr).toContain(`${WORK}/a.ts:5`)
  })

  test('are CommonJS or ES modules as the nearest package.json says', async () => {
    const files = {
      'm/package.json': '{"type":"module"}',
      'm/a.js': 'export default typeof require',
      'main.js': 'import("./m/a.js").then((m) => console.log(m.default))',
    }
    expect((await file('main.js', files)).stdout).toBe('undefined\n')
  })

  test('that are installed are found', async () => {
    const files = {
      'node_modules/p/package.json':
        '{"exports":{".":{"import":"./i.mjs","require":"./r.js"},"./sub/*":"./s/*.js"}}',
      'node_modules/p/i.mjs': 'export default "import"',
      'node_modules/p/r.js': 'module.exports = "require"',
      'node_modules/p/s/x.js': 'module.exports = "sub"',
      'a.mjs':
        'import p from "p"; import { createRequire } from "module"; const r = createRequire(import.meta.url); console.log(p, r("p"), r("p/sub/x"))',
    }
    expect((await file('a.mjs', files)).stdout).toBe('import require sub\n')
  })

  test('that are missing are named, with an alternative', async () => {
    const required = await script('require("lodash")')
    expect(required).toMatchObject({ exitCode: 1 })
    expect(required.stderr).toContain("Cannot find module 'lodash'")
    const imported = await file('a.mjs', { 'a.mjs': 'import axios from "axios"' })
    expect(imported.stderr).toContain(`Cannot find package 'axios' imported from ${WORK}/a.mjs`)
    expect(imported.stderr).toContain('no network')
  })

  test('exist exactly as load_skill lists them', async () => {
    const { stdout } = await script(
      `const refuses = (it) => String(it).includes('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
       const here = (its) => its.length > 0 && !its.some((it) => typeof it === 'function' && refuses(it))
       const names = require('module').builtinModules.map((name) => 'node:' + name.replace('node:', ''))
       console.log(JSON.stringify(names.map((name) => [name, here(Object.values(require(name)))])))`,
    )
    // The cast is safe: the command above printed this value.
    for (const [name, here] of JSON.parse(stdout) as [string, boolean][]) {
      const [fit] = checkScripts([{ path: 'a.cjs', text: `require('${name}')` }], [])
      expect([name, fit?.lacks.length === 0 && fit.partly.length === 0]).toEqual([name, here])
    }
  })

  test.each([
    'child_process.execSync("ls")',
    'http.get("http://a")',
    'net.connect(1)',
    'worker_threads.Worker("a")',
  ])('%s says why it does nothing', async (call) => {
    const [name = ''] = call.split('.')
    const { stdout } = await script(
      `try { require("${name}").${call.slice(name.length + 1)} } catch (e) { console.log(e.code, e.message) }`,
    )
    expect(stdout).toMatch(/^ERR_FEATURE_UNAVAILABLE_ON_PLATFORM .*(?:no network|cannot start programs)/)
  })
})

describe('order and globals', () => {
  test("ticks, jobs, timers and immediates run in Node's order", async () => {
    const code = `
      setTimeout(() => console.log('timer 5'), 5); setTimeout(() => console.log('timer 1'), 1)
      setImmediate(() => console.log('immediate'))
      Promise.resolve().then(() => { console.log('job'); process.nextTick(() => console.log('tick of job')) }).then(() => console.log('job 2'))
      process.nextTick(() => console.log('tick')); queueMicrotask(() => console.log('micro'))
      console.log('script')`
    const { stdout } = await script(code)
    const lines = stdout.trim().split('\n')
    expect(lines.filter((line) => line !== 'immediate')).toEqual([
      'script',
      'tick',
      'job',
      'micro',
      'job 2',
      'tick of job',
      'timer 1',
      'timer 5',
    ])
    expect(lines).toContain('immediate')
  })

  test('stdin can be read in every way', async () => {
    const stdin = 'eins\nzwei\n'
    const ways = [
      'console.log(require("fs").readFileSync(0, "utf8").split("\\n").length)',
      'let t = ""; process.stdin.setEncoding("utf8"); process.stdin.on("data", (d) => t += d).on("end", () => console.log(t.split("\\n").length))',
      '(async () => { let t = ""; for await (const d of process.stdin) t += d; console.log(t.split("\\n").length) })()',
      '(async () => { let n = 1; for await (const l of require("readline").createInterface({ input: process.stdin })) n++; console.log(n) })()',
      'let n = 1; require("readline").createInterface({ input: process.stdin }).on("line", () => n++).on("close", () => console.log(n))',
    ]
    for (const code of ways) expect((await script(code, { stdin })).stdout, code).toBe('3\n')
  })

  test.each([
    ['Buffer.from("hé").toString("base64") + Buffer.from("6869", "hex")', 'aMOphi'],
    [
      'new URL("../c?q=a%20b#h", "https://a.b/x/y").href + new URLSearchParams({ a: "b c" })',
      'https://a.b/c?q=a%20b#ha=b+c',
    ],
    ['new TextDecoder().decode(new TextEncoder().encode("a\\0ü🎉")).length', '5'],
    ['structuredClone(new Map([[1, { a: new Date(0) }]])).get(1).a.getTime()', '0'],
    ['atob(btoa("hello"))', 'hello'],
    [
      '(() => { const c = new AbortController(); c.abort(); return c.signal.aborted + c.signal.reason.name })()',
      'trueAbortError',
    ],
    ['typeof performance.now() + typeof process.hrtime.bigint() + process.hrtime().length', 'numberbigint2'],
    ['require("crypto").createHash("sha256").update("a").digest("hex").slice(0, 16)', 'ca978112ca1bbdca'],
    ['require("crypto").createHmac("md5", "k").update("a").digest("base64")', '3c89IQBJ5xNfYa/65zcxzQ=='],
    ['crypto.randomUUID().length', '36'],
    [
      'require("util").inspect({ a: new Set([1]), b: [undefined, null], c: Symbol("s") })',
      '{ a: Set(1) { 1 }, b: [ undefined, null ], c: Symbol(s) }',
    ],
    ['require("util").format("%s %d %j %o", "a", 1.5, { b: 1 }, [2])', 'a 1.5 {"b":1} [ 2, [length]: 1 ]'],
    ['require("path").relative("/a/b", "/a/c/d") + require("path").extname("x.tar.gz")', '../c/d.gz'],
    ['require("os").EOL.length + require("os").tmpdir()', '1/tmp'],
    [
      '(1234567.891).toLocaleString() + " " + new Date(0).toISOString()',
      '1,234,567.891 1970-01-01T00:00:00.000Z',
    ],
    ['["b", "a", "B", "ä"].sort((x, y) => x.localeCompare(y)).join("")', 'aäbB'],
    ['new Intl.DateTimeFormat("en-GB").format(new Date(0))', '01/01/1970'],
    ['require("zlib").gunzipSync(require("zlib").gzipSync("squeezed")).toString()', 'squeezed'],
    [
      '(() => { try { JSON.parse("{a") } catch (e) { return e.message } })()',
      "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    ],
    [
      '(() => { try { require("assert").strictEqual(1, 2) } catch (e) { return e.code } })()',
      'ERR_ASSERTION',
    ],
    ['require("util").parseArgs({ args: ["--a", "1"], options: { a: { type: "string" } } }).values.a', '1'],
    ['typeof fetch + typeof WebAssembly + typeof Worker', 'functionundefinedundefined'],
  ])('%s', async (code, shown) => {
    const { stdout, stderr } = await run({ argv: ['node', '-p', code] })
    expect(stderr).toBe('')
    expect(stdout).toBe(`${shown}\n`)
  })

  test('console formats as Node does', async () => {
    const { stdout, stderr } = await script(
      'console.table([{ a: 1, b: "x" }, { a: 2 }]); console.group("g"); console.log("in"); console.groupEnd(); console.error("e"); console.dir({ a: 1 })',
    )
    expect(stdout).toBe(
      "┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ 'x' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘\ng\n  in\n{ a: 1 }\n",
    )
    expect(stderr).toBe('e\n')
  })
})
