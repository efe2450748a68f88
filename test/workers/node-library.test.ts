// Guards that modules which are Node's own code, or modelled on it, give the results and messages of Node 22.

import { expect, test } from 'vitest'

import { script, WORK } from './node-fixture.ts'

const CODE: readonly (readonly [code: string, shown: string])[] = [
  [
    'require("assert").strictEqual(1, 2)',
    'AssertionError | ERR_ASSERTION | Expected values to be strictly equal:\n\n1 !== 2\n',
  ],
  [
    'require("assert").deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] })',
    'AssertionError | ERR_ASSERTION | Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n    a: 1,\n    b: [\n      1,\n+     2\n-     3\n    ]\n  }\n',
  ],
  [
    'require("assert").deepEqual([1, 2, 3], [1, 2, 4])',
    'AssertionError | ERR_ASSERTION | Expected values to be loosely deep-equal:\n\n[\n  1,\n  2,\n  3\n]\n\nshould loosely deep-equal\n\n[\n  1,\n  2,\n  4\n]',
  ],
  ['require("assert").throws(() => {})', 'AssertionError | ERR_ASSERTION | Missing expected exception.'],
  [
    'require("assert").match("abc", /x/)',
    "AssertionError | ERR_ASSERTION | The input did not match the regular expression /x/. Input:\n\n'abc'\n",
  ],
  [
    'require("assert").rejects(Promise.resolve(1))',
    'AssertionError | ERR_ASSERTION | Missing expected rejection.',
  ],
  [
    'require("path").win32.join("a", "b") + require("path").format({ name: "n", ext: "e" }) + require("path").matchesGlob("a/b.js", "a/*.js")',
    'a\\bn.etrue',
  ],
  [
    'require("path").join(1)',
    'TypeError | ERR_INVALID_ARG_TYPE | The "path" argument must be of type string. Received type number (1)',
  ],
  [
    'JSON.stringify(require("querystring").parse("a=1&b=2&a=3&c=%20x+y")) + require("querystring").stringify({ a: [1, 2], b: "x y", d: true })',
    '{"a":["1","3"],"b":"2","c":" x y"}a=1&a=2&b=x%20y&d=true',
  ],
  [
    'require("url").parse("http://user:pass@host.com:80/p/a?x=1&y=2#h").auth + require("url").format({ protocol: "http", host: "x.com", pathname: "/y", query: { a: 1 } }) + require("url").resolve("http://a.com/b/c", "../d")',
    'user:passhttp://x.com/y?a=1http://a.com/d',
  ],
  [
    'require("util").inspect({ g: function* gen() {}, m: new Map([[{ a: 1 }, new Set([1])]]), b: new Uint8Array(2), e: [, 1], s: "it\'s" })',
    '{\n  g: [GeneratorFunction: gen],\n  m: Map(1) { { a: 1 } => Set(1) { 1 } },\n  b: Uint8Array(2) [ 0, 0 ],\n  e: [ <1 empty item>, 1 ],\n  s: "it\'s"\n}',
  ],
  [
    'require("util").inspect(new ArrayBuffer(3))',
    'ArrayBuffer { [Uint8Contents]: <00 00 00>, [byteLength]: 3 }',
  ],
  [
    'require("util").inspect(Buffer.alloc(51))',
    '<Buffer 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ... 1 more byte>',
  ],
  ['require("util").inspect({ a: { b: { c: {} } } }, { depth: 0 })', '{ a: [Object] }'],
  [
    'JSON.stringify(require("util").parseArgs({ args: ["-v", "--no-color", "--list=a", "pos"], options: { verbose: { type: "boolean", short: "v" }, color: { type: "boolean" }, list: { type: "string", multiple: true } }, allowPositionals: true, allowNegative: true }))',
    '{"values":{"verbose":true,"color":false,"list":["a"]},"positionals":["pos"]}',
  ],
  [
    '(process.argv.push("--a=1"), JSON.stringify(require("util").parseArgs({ options: { a: { type: "string" } } }).values))',
    '{"a":"1"}',
  ],
  [
    'require("util").parseArgs({ args: ["--nope"], options: {} })',
    "TypeError | ERR_PARSE_ARGS_UNKNOWN_OPTION | Unknown option '--nope'",
  ],
  [
    'require("util").styleText(["bold", "red"], "x", { validateStream: false })',
    '\u001b[1m\u001b[31mx\u001b[39m\u001b[22m',
  ],
  [
    'require("util").styleText("nope", "x")',
    "TypeError | ERR_INVALID_ARG_VALUE | The argument 'format' must be one of: 'reset', 'bold', 'dim', 'italic', 'underline', 'blink', 'inverse', 'hidden', 'strikethrough', 'doubleunderline', 'black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'bgBlack', 'bgRed', 'bgGreen', 'bgYellow', 'bgBlue', 'bgMagenta', 'bgCyan', 'bgWhite', 'framed', 'overlined', 'gray', 'redBright', 'greenBright', 'yellowBright', 'blueBright', 'magentaBright', 'cyanBright', 'whiteBright', 'bgGray', 'bgRedBright', 'bgGreenBright', 'bgYellowBright', 'bgBlueBright', 'bgMagentaBright', 'bgCyanBright', 'bgWhiteBright'. Received 'nope'",
  ],
  [
    'JSON.stringify(require("util").parseEnv("A=1\\nB=\\"x y\\"\\n# c\\nC=\'z\'"))',
    '{"A":"1","B":"x y","C":"z"}',
  ],
  ['new (require("events"))().emit("error", new Error("unhandled"))', 'Error |  | unhandled'],
  [
    '(async () => { const e = new (require("events"))(); setTimeout(() => e.emit("y", 42), 1); return require("events").once(e, "y") })()',
    '42',
  ],
  [
    'new Date(0).toString() + [1, 2, 3].values().filter((x) => x > 1).take(1).toArray()',
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)2',
  ],
  ['new Date(NaN).toISOString()', 'RangeError |  | Invalid time value'],
  [
    '(() => { const o = { a: [{}] }; o.a[0].b = o; return JSON.stringify(o) })()',
    "TypeError |  | Converting circular structure to JSON\n    --> starting at object with constructor 'Object'\n    |     property 'a' -> object with constructor 'Array'\n    |     index 0 -> object with constructor 'Object'\n    --- property 'b' closes the circle",
  ],
  [
    'require("stream/consumers").json(require("stream").Readable.from([\'{"a":\', \'1}\']))',
    '[object Object]',
  ],
  [
    'require("timers/promises").setTimeout(1000, null, { signal: AbortSignal.abort() })',
    'AbortError | ABORT_ERR | The operation was aborted',
  ],
  [
    '(() => { const { performance } = require("perf_hooks"); performance.mark("a"); return performance.measure("m", "a").name + performance.getEntriesByType("mark").length })()',
    'm1',
  ],
  [
    'Buffer.from("_-8", "base64url").toString("hex") + Buffer.from("\\xff\\xfe").toString("base64url") + Buffer.from("ab".repeat(99)).toString("base64url").length',
    'ffefw7_Dvg264',
  ],
  [
    '(() => { class V extends Error { constructor(m) { super(m); this.name = "V" } } return new V("bad").stack.split("\\n")[0] })()',
    'V: bad',
  ],
  [
    '(() => { const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); return s.run(1, async () => { await null; await new Promise((r) => setTimeout(r, 1)); return s.getStore() }).then((n) => [n, s.getStore()].join()) })()',
    '1,',
  ],
]

/** The output of `code` as text. An error is printed as name, code and message. */
async function result(code: string): Promise<string> {
  const { stdout, stderr } = await script(
    `(async () => { try { return await (async () => (${code}))() } catch (e) { return [e.name, e.code, e.message].join(' | ') } })().then((r) => console.log(String(r)))`,
  )
  expect(stderr).toBe('')
  return stdout.slice(0, -1)
}

test.each(CODE)('%s', async (code, shown) => {
  expect(await result(code)).toBe(shown)
})

test('concurrent asynchronous calls with AsyncLocalStorage values are refused', async () => {
  const code = `(() => { const { AsyncLocalStorage } = require('async_hooks'); const s = new AsyncLocalStorage(), f = async () => { await null }
    return Promise.all([s.run(1, f), s.run(2, f)]) })()`
  expect(await result(code)).toMatch(/await each call before the next/)
})

test('files are found by patterns, read in folders, and copied with a filter', async () => {
  const files = Object.fromEntries(
    ['a.txt', 'b.js', 'deep/c.txt', 'deep/.d'].map((name) => [`${WORK}/s/${name}`, name]),
  )
  const { stdout } = await script(
    `const fs = require('fs'); (async () => {
      console.log(fs.globSync('**/*.txt').sort().join(), fs.globSync('s/{a,b}.*').sort().join())
      const found = []; for await (const one of fs.promises.glob('*', { cwd: 's' })) found.push(one)
      const dir = []; for await (const one of await fs.promises.opendir('s')) dir.push(one.name + one.isDirectory())
      console.log(found.sort().join(), dir.sort().join())
      fs.cpSync('s', 't', { recursive: true, filter: (from) => !from.endsWith('.js') })
      console.log(fs.readdirSync('t', { recursive: true }).sort().join(), fs.mkdirSync('x/y/z', { recursive: true }))
      await fs.promises.writeFile('i', (function* () { yield 'a'; yield 'b' })())
      console.log(fs.readFileSync('i', 'utf8'), typeof fs.statSync('i', { bigint: true }).size)
    })()`,
    { files },
  )
  expect(stdout).toBe(
    `s/a.txt,s/deep/c.txt s/a.txt,s/b.js\na.txt,b.js,deep a.txtfalse,b.jsfalse,deeptrue\na.txt,deep,deep/.d,deep/c.txt ${WORK}/x\nab bigint\n`,
  )
})
