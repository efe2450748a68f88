// Guards that code with a step counter behaves as before, and that any computation can be stopped.

import { parse } from 'acorn'
import { describe, expect, test } from 'vitest'

import { guardSteps } from '../../../scripts/runtimes/step-guards.ts'

interface Guarded {
  readonly stepControls: {
    arm(first: number, slow: () => number, rest: () => Promise<void>): void
    left(): number
    due(): void
  }
  readonly run: (...args: readonly unknown[]) => unknown
}

const PLENTY = 1_000_000

async function load(source: string): Promise<Guarded> {
  const guarded = guardSteps(source)
  parse(guarded, { ecmaVersion: 'latest', sourceType: 'module' })
  // The cast is safe: only this module's text defines its exports.
  return (await import(`data:text/javascript,${encodeURIComponent(guarded)}`)) as Guarded
}

/** Stops code that takes more than this many steps. */
function limit({ stepControls }: Guarded, steps: number): void {
  stepControls.arm(
    steps,
    () => {
      throw new Error('too many steps')
    },
    async () => {},
  )
}

async function ended(body: string): Promise<void> {
  const module = await load(body)
  limit(module, 5_000)
  await expect((async () => module.run())()).rejects.toThrow('too many steps')
}

describe('the result is the same', () => {
  test.each([
    ['a body without braces', 'export function run(n){let s=0;for(let i=0;i<n;i++)s+=i;return s}', 10, 45],
    ['an empty body', 'export function run(n){let i=0;for(;i++<n;);return i}', 10, 11],
    ['do without braces', 'export function run(n){let i=0;do i++;while(i<n)\nreturn i}', 5, 5],
    [
      'loops in loops without braces',
      'export function run(n){let s=0;for(let i=0;i<n;i++)for(const j of [1,2])while(s%3)s++\nreturn s}',
      3,
      0,
    ],
    [
      'labels',
      'export function run(n){let s=0;a:for(let i=0;i<n;i++){for(;;){s++;continue a}}return s}',
      4,
      4,
    ],
    [
      'a loop in an if with an else',
      'export function run(n){if(n>3)for(const k in [1,2])n++;else n=0;return n}',
      4,
      6,
    ],
    ['an arrow that gives an object', 'export const run=(n)=>({a:n}).a', 4, 4],
    ['an arrow that gives a sequence', 'export const run=(n)=>(n++,n)', 4, 5],
    ['arrows in arrows', 'export const run=(n)=>((a)=>b=>c=>a+b+c)(n)(1)(2)', 4, 7],
    [
      'an arrow at the end of a body',
      'export function run(n){let f;for(const k of [n])f=()=>k\nreturn f()}',
      4,
      4,
    ],
    [
      'a strict function',
      "export function run(n){'use strict'\nreturn (function(){return this===undefined?n:0})()}",
      4,
      4,
    ],
    [
      'a class',
      'export function run(n){class A{static #x=1;static/*{*/{for(;this.#x<n;)this.#x++}static get x(){return A.#x}}return A.x}',
      4,
      4,
    ],
    [
      'a derived class',
      'export function run(n){class A{constructor(){this.a=n}}class B extends A{constructor(){super();this.a++}}return new B().a}',
      4,
      5,
    ],
    [
      'a generator',
      'export function run(n){function*g(){for(let i=0;i<n;i++)yield i}return [...g()].length}',
      4,
      4,
    ],
    [
      'an async function',
      'export async function run(n){let s=0;for(const p of [1,2])s+=await p;return s+n}',
      4,
      7,
    ],
    [
      'an async arrow and generator',
      'export async function run(n){const f=async x=>await x;async function*g(){yield f(n);yield* [1]}let s=0;for await(const v of g())s+=v;return s}',
      4,
      5,
    ],
    ['a default value', 'export function run(n,f=()=>{while(n<9)n++;return n}){return f()}', 4, 9],
  ])('%s', async (_name, source, input, output) => {
    const module = await load(source)
    limit(module, PLENTY)
    expect(await module.run(input)).toBe(output)
  })
})

describe('an endless computation is stopped', () => {
  test.each([
    ['for(;;);', 'export function run(){for(;;);}'],
    ['while in an arrow', 'export const run=()=>{while(true);}'],
    ['do while', 'export function run(){do;while(1)}'],
    [
      'for of an endless generator',
      'export function run(){function*g(){while(1)yield 1}for(const x of g());}',
    ],
    ['for in', 'export function run(){const o={};for(let i=0;i<9000;i++)o[i]=1;for(const k in o);}'],
    [
      'mutual recursion behind catch',
      'export function run(){const f=()=>{try{g()}catch{g()}};const g=()=>{try{f()}catch{f()}};f()}',
    ],
    ['an arrow without braces', 'export const run=()=>{const f=(n)=>n?f(n-1):0;for(;;)f(9)}'],
    ['a catch in a loop', 'export function run(){for(;;)try{for(;;);}catch{}}'],
    ['a finally that loops', 'export function run(){try{for(;;);}finally{for(;;);}}'],
    [
      'a callback of a built-in',
      'export function run(){const a=[1];a.forEach(()=>{a.push(1)});[...Array(9000)].map(()=>0)}',
    ],
    [
      'a getter',
      'export function run(){const o={get x(){return this.y},get y(){return 1}};let i=0;while(o.x)i++}',
    ],
    ['a static block', 'export function run(){class A{static{for(;;);}}}'],
    [
      'promises that follow each other',
      'export async function run(){const f=async()=>{await null;return f()};return f()}',
    ],
    ['an async loop', 'export async function run(){while(true)await null}'],
  ])('%s', async (_name, source) => {
    await ended(source)
  })

  test('and stays stopped until the counter is armed again', async () => {
    const module = await load('export function run(n){let i=0;while(i<n)i++;return i}')
    limit(module, 10)
    expect(() => module.run(100)).toThrow('too many steps')
    expect(() => module.run(1)).toThrow('too many steps')
    limit(module, 1_000)
    expect(module.run(100)).toBe(100)
  })
})

describe('yielding to others', () => {
  test('happens when it is due, once, in a loop of an async function', async () => {
    const module = await load('export async function run(){for(let i=0;i<100;i++);return 1}')
    let rests = 0
    module.stepControls.arm(
      10,
      () => {
        module.stepControls.due()
        return 30
      },
      async () => void (rests += 1),
    )
    await module.run()
    expect(rests).toBe(3)
  })

  test('does not happen in a loop of a nested synchronous function', async () => {
    const module = await load('export async function run(){[1].map(()=>{for(let i=0;i<9;i++);});return 1}')
    let rests = 0
    module.stepControls.arm(
      1_000,
      () => 1_000,
      async () => void (rests += 1),
    )
    module.stepControls.due()
    await module.run()
    expect(rests).toBe(0)
  })
})

test('code that uses a name of the counter is refused', () => {
  expect(() => guardSteps('let __stepsLeft=1')).toThrow('__stepsLeft')
})

test('equal code gives equal guards', () => {
  const source = 'for(const f of [()=>1,()=>{while(0);}])f()'
  expect(guardSteps(source)).toBe(guardSteps(source))
})
