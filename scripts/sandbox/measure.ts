// `node scripts/sandbox/measure.ts`: what the Python runtime takes. Start and end of an empty script in a kept and in a new
// isolate, work beside the machine's own python3, others' waiting meanwhile, and memory of the process over many calls.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { startChildren } from './children.ts'

import type { Children } from './children.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USAGE = `node scripts/sandbox/measure.ts [CALLS]

  CALLS   calls in a row for the memory figure; 1000 without it`
/** Each prints the seconds its own work took, so that starting is not counted. */
const WORK: Readonly<Record<string, string>> = {
  'calls (fib 25)': 'def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nf(25)',
  'integer loop': 'x = 0\nfor i in range(3_000_000): x += i & 7',
  json: 'import json\nd = [{"a": i, "b": str(i), "c": [i] * 5} for i in range(20_000)]\nfor _ in range(3): json.loads(json.dumps(d))',
  'sort and dict':
    'import random\nrandom.seed(1)\nd = {}\nfor v in sorted(random.random() for _ in range(200_000)): d[str(v)] = v',
  'csv and statistics':
    'import csv, io, statistics\nt = "\\n".join(f"{i},{i * 3 % 101},x{i}" for i in range(60_000))\nstatistics.mean(int(r[1]) for r in csv.reader(io.StringIO(t)))',
  'regular expression':
    'import re\nt = "alpha beta 12-34 " * 40_000\nsum(1 for _ in re.finditer(r"(\\d+)-(\\d+)", t))',
  text: 'words = ("the quick brown fox " * 50_000).split()\nc = {}\nfor w in words: c[w] = c.get(w, 0) + 1\n"".join(w.upper() for w in words)',
  sha256: 'import hashlib\nhashlib.sha256(bytes(20_000_000)).digest()',
  'big numbers': 'x = 3**40_000\nfor _ in range(20): x * x',
}
const ROUNDS = 5

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

function show(name: string, values: readonly number[]): void {
  const [middle, slow] = [percentile(values, 0.5), percentile(values, 0.99)]
  console.log(
    `${name.padEnd(28)} p50 ${middle.toFixed(1)} ms   p99 ${slow.toFixed(1)} ms   (${values.length})`,
  )
}

async function starts(children: Children, count: number, isolate: string | null): Promise<readonly number[]> {
  const times: number[] = []
  for (let call = 0; call < count; call += 1)
    times.push((await children.run({ argv: ['python3', '-c', ''], isolate })).ms)
  return times
}

async function work(children: Children): Promise<void> {
  for (const [name, body] of Object.entries(WORK)) {
    const code = `import time\nbegan = time.perf_counter()\n${body}\nprint(time.perf_counter() - began)`
    const [here, there]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      there.push(Number(execFileSync('python3', ['-c', code], { encoding: 'utf8' })))
      here.push(
        Number(Buffer.from((await children.run({ argv: ['python3', '-c', code] })).stdout).toString()),
      )
    }
    const [ours, native] = [Math.min(...here) * 1_000, Math.min(...there) * 1_000]
    console.log(
      `${name.padEnd(28)} ${ours.toFixed(0)} ms beside ${native.toFixed(0)} ms: ${(ours / native).toFixed(1)} times`,
    )
  }
}

async function others(children: Children): Promise<readonly number[]> {
  let over = false
  const spin = children
    .run({ argv: ['python3', '-c', 'while True: pass'], limits: { wallMs: 5_000 } })
    .finally(() => (over = true))
  const times: number[] = []
  while (!over) times.push(await children.ping())
  await spin
  return times
}

/** Megabytes of the workerd that does most of the work. */
function resident(): number {
  const pids = execFileSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const kilobytes = pids.map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  )
  return Math.max(...kilobytes) / 1_024
}

async function main([calls = '1000', ...rest]: readonly string[]): Promise<number> {
  if (!/^\d+$/.test(calls) || rest.length > 0) {
    console.log(USAGE)
    return calls === '--help' ? 0 : 2
  }
  const children = await startChildren(ROOT, 'python')
  const began = performance.now()
  await starts(children, 1, 'python')
  console.log(`first call                   ${(performance.now() - began).toFixed(0)} ms`)
  show('empty script, kept isolate', await starts(children, 200, 'python'))
  show('empty script, new isolate', await starts(children, 40, null))
  await work(children)
  show('others while one spins', await others(children))
  const before = resident()
  await starts(children, Number(calls), 'python')
  console.log(`memory over ${calls} calls       ${before.toFixed(0)} MB → ${resident().toFixed(0)} MB`)
  await children.dispose()
  return 0
}

process.exitCode = await main(process.argv.slice(2))
