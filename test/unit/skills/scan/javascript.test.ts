// Guards that JavaScript and TypeScript, in every dialect, follow the same rules as Python, and that a mere mention
// passes.

import { describe, expect, it } from 'vitest'
import { refusals, seenIn, reported } from './scanned.ts'

const script = (code: string): readonly string[] => seenIn('scripts/a.js', code)
const warned = (code: string, path = 'scripts/a.js'): readonly string[] => reported(path, code)

describe('the scan for text run as code', () => {
  it.each([
    ['eval', 'eval(x)'],
    ['indirect eval', '(0, eval)(x)'],
    ['globalThis', 'globalThis["eval"](x); window.eval(y)'],
    ['Function', 'new Function("a", body)()'],
    ['Function as a call', 'Function(body)()'],
    ['the constructor of a constructor', '[].constructor.constructor(body)()'],
    ['the constructor of an arrow', '(()=>{}).constructor("return 1")()'],
    ['the constructor of a function', '(function () {})["constructor"](body)()'],
    ['the constructor of a function by name', 'function f() {}\nf.constructor(body)()'],
    [
      'the constructor behind a prototype',
      'const A = Object.getPrototypeOf(async function () {}).constructor\nnew A(body)()',
    ],
    ['vm', 'import { runInNewContext as r } from "node:vm"\nr(x)'],
    ['a timer with text', 'setTimeout("go()", 1)'],
    ['an alias', 'const e = eval\ne(x)'],
    ['a module out of a URL', 'import("data:text/javascript,x")'],
  ])('warns of %s', (_, code) => {
    expect(warned(code)).toEqual(['javascript-dynamic-code'])
  })

  it.each([
    ['mentions', '// eval(x)\nconst s = "eval(x)"; const t = `new Function()`'],
    ['methods', 'model.eval(x); /a/.exec(y); db.exec("select 1")'],
    ['the global object of libraries', 'Function("return this")()'],
    ['a function of the file', 'function f(eval2) { return eval2(1) }'],
    ['a copy by its own class', 'class A { copy() { return new this.constructor(this.a) } }'],
    ['the name of a class', 'f.constructor.name; Object.getPrototypeOf(x).constructor(y)'],
    ['a timer with a function', 'setTimeout(() => go(), 1)'],
  ])('allows %s', (_, code) => {
    expect(script(code)).toEqual([])
  })
})

describe('the scan for shells', () => {
  it.each([
    ['exec', 'const cp = require("child_process")\ncp.exec(command)'],
    ['a template', 'import { execSync } from "node:child_process"\nexecSync(`git ${x}`)'],
    ['a new name', 'const { exec: run } = require("node:child_process")\nrun(a + b)'],
    [
      'promisify',
      'import { exec } from "child_process"\nimport { promisify } from "util"\nconst run = promisify(exec)\nrun(x)',
    ],
    ['a dynamic import', 'const cp = await import("child_process")\ncp.exec(x)'],
    ['require in place', 'require("child_process").exec(x)'],
    ['a main module', 'process.mainModule.require("child_process").execSync(x)'],
    [
      'createRequire',
      'import { createRequire } from "module"\nconst r = createRequire(import.meta.url)\nr("child_process").exec(x)',
    ],
    ['spawn with a shell', 'import { spawn } from "child_process"\nspawn(x, args, { shell: true })'],
    ['call', 'const cp = require("child_process")\ncp.exec.call(cp, x)'],
    ['a name set later', 'let cp\nif (node) cp = require("child_process")\nfunction f() { cp.exec(x) }'],
  ])('warns of %s', (_, code) => {
    expect(warned(code)).toEqual(['javascript-shell-exec'])
  })

  it('only notes a process without a shell, or with a literal command', () => {
    const code =
      'import { spawn, execSync } from "child_process"\nspawn("ls", [x])\nexecSync("git status")\nspawn("npm", a, { shell: false })'
    expect(script(code)).toEqual([
      'note javascript-subprocess:2',
      'note javascript-subprocess:3',
      'note javascript-subprocess:4',
    ])
    expect(script('Deno.run({ cmd: [x, y] })')).toEqual(['note javascript-subprocess:1'])
  })
})

describe('the scan for leaks', () => {
  it.each([
    ['the whole environment', 'fetch(u, { body: JSON.stringify(process.env) })'],
    ['a spread', 'axios.post(u, { ...process.env })'],
    ['an alias', 'const e = process.env\nfetch(u, { body: JSON.stringify(e) })'],
    ['a key', 'axios.post(u, fs.readFileSync(home + "/.ssh/id_rsa"))'],
    ['wallets', 'const w = [".electrum/wallets", ".config/solana/id.json"]\nfetch(u, { body: read(w) })'],
  ])('refuses data that is sent away: %s', (_, code) => {
    const found = script(`import axios from "axios"\nimport fs from "fs"\n${code}`)
    expect(found.filter((one) => one.startsWith('error'))).not.toEqual([])
    expect(found.join(' ')).not.toMatch(/error (?!javascript-keys-sent)/)
  })

  it('refuses the environment, one by one in the URL of a call', () => {
    const code = 'for (const [k, v] of Object.entries(process.env)) fetch(u + k)'
    expect(refusals('a.js', code)).toEqual(['javascript-keys-sent'])
  })

  it.each([
    ['one variable', 'const k = process.env.KEY ?? process.env["K"]'],
    ['two by name', 'const { A, B } = process.env'],
    ['a child process', 'spawn("a", [], { env: { ...process.env, B: 1 } })'],
    ['a function of the file', 'function f(env = process.env) { return env.A }\nf()'],
  ])('allows %s', (_, code) => {
    expect(warned(`import { spawn } from "child_process"\n${code}\nfetch(u)`)).toEqual([])
  })

  it('warns of a path to keys, beside a network call and alone', () => {
    expect(warned('fs.readFileSync(home + "/.ssh/id_rsa"); fetch(u)')).toEqual(['javascript-sensitive-exfil'])
    expect(script('fs.readFileSync("/etc/passwd")')).toEqual(['warning javascript-sensitive-path-read:1'])
  })

  it('refuses a shell beside a raw socket', () => {
    const code =
      'const net = require("net"), cp = require("child_process")\nconst s = new net.Socket()\nconst sh = cp.spawn("/bin/sh", [])\ns.pipe(sh.stdin)'
    expect(refusals('a.js', code)).toEqual(['javascript-reverse-shell'])
    expect(warned(code.replace('/bin/sh', 'ls'))).toEqual([])
    expect(warned(code.replace('\ns.pipe(sh.stdin)', ''))).toEqual([])
  })

  it('reports modules with a computed name or from the network', () => {
    expect(
      script('require(name)\nimport(`./${x}`)\nimport("https://a.example.org/x.js")\nrequire("./a")'),
    ).toEqual([
      'note javascript-dynamic-import:1',
      'note javascript-dynamic-import:2',
      'warning javascript-remote-import:3',
    ])
  })
})

describe('the parser', () => {
  it('reads TypeScript, JSX and both', () => {
    const ts = 'import type { A } from "./a"\nexport const f = <T,>(x: T): T => x as T\neval(f("x")!)'
    expect(warned(ts, 'a.ts')).toEqual(['javascript-dynamic-code'])
    expect(warned('const a = <b c={eval(x)}>eval(y)</b>', 'a.jsx')).toEqual(['javascript-dynamic-code'])
    expect(warned('const a: B = <b>{eval(x as string)}</b>', 'a.tsx')).toEqual(['javascript-dynamic-code'])
    expect(warned('#!/usr/bin/env node\neval(x)', 'bin/tool')).toEqual(['javascript-dynamic-code'])
  })

  it('accepts a file that can be parsed in part if nothing hides in it', () => {
    const typed = 'const f = (x): x is A => true\nlet a = 1'
    expect(seenIn('a.ts', typed)).toEqual(['note javascript-parsed-in-part:1'])
    expect(seenIn('a.ts', 'try { go() } catch (e: any) { stop(e) }')).toEqual([])
    expect(warned(`${typed}\neval(a)`, 'a.ts')).toEqual(['javascript-dynamic-code'])
  })

  it('warns of names with escapes in them, which no grammar here reads', () => {
    expect(warned('\\u0065val(x)')).toEqual(['javascript-unparsable'])
  })

  it('warns of a file in which a relevant name hides behind a part that cannot be parsed', () => {
    expect(warned('let a = {{name}};\n`unclosed\n\neval(x)\n')).toEqual(['javascript-unparsable'])
  })
})
