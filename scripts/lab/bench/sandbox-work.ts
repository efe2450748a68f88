// Benchmark of CPU work in the runtimes, compared with the same program in the machine's own python3 and node.

import { execFileSync } from 'node:child_process'

import { startChildren } from '../sandbox/children.ts'
import { ROOT } from '../rig/keys.ts'
import { plain, under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'

const ROUNDS = 5
const PYTHON_TIMES = 3

interface Language {
  readonly what: string
  readonly runtime: string
  /** The command in the sandbox, and the one on this machine. */
  readonly argv: readonly [string, string]
  readonly native: string
  /** Wraps the work in a program that prints its duration in ms, so that the start does not count. */
  readonly timed: (work: string) => string
  readonly version: string
  /** The limit as a multiple of native time; null if the time is only reported. */
  readonly times: number | null
  readonly works: Readonly<Record<string, string>>
}

const PYTHON: Language = {
  what: 'python3',
  runtime: 'python',
  argv: ['python3', '-c'],
  native: 'python3',
  timed: (work) =>
    `import time\nbegan = time.perf_counter()\n${work}\nprint((time.perf_counter() - began) * 1e3)`,
  version: 'import platform\nprint("CPython", platform.python_version())',
  times: PYTHON_TIMES,
  works: {
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
    sha256: 'import hashlib\nb = bytes(20_000_000)\nfor _ in range(3): hashlib.sha256(b).digest()',
    'big numbers': 'x = 3**40_000\nfor _ in range(20): x * x',
  },
}

const NODE: Language = {
  what: 'node',
  runtime: 'node',
  argv: ['node', '-e'],
  native: process.execPath,
  timed: (work) => `const began = performance.now()\n${work}\nconsole.log(performance.now() - began)`,
  version: 'console.log("Node", process.versions.node)',
  times: null,
  works: {
    'calls (fib 25)': 'const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2))\nf(25)',
    'integer loop': 'let x = 0\nfor (let i = 0; i < 10_000_000; i++) x = (x + (i & 7)) | 0',
    json: 'const d = Array.from({ length: 20_000 }, (_, i) => ({ a: i, b: String(i), c: Array(5).fill(i) }))\nfor (let i = 0; i < 3; i++) JSON.parse(JSON.stringify(d))',
    'sort and Map':
      'let s = 1\nconst d = new Map()\nfor (const v of Array.from({ length: 100_000 }, () => (s = (s * 16_807) % 2_147_483_647)).sort((a, b) => a - b)) d.set(String(v), v)',
    'split and parse a table':
      'const t = Array.from({ length: 60_000 }, (_, i) => `${i},${(i * 3) % 101},x${i}`).join("\\n")\nlet sum = 0\nfor (const line of t.split("\\n")) sum += Number(line.split(",")[1])',
    'regular expression':
      'const t = "alpha beta 12-34 ".repeat(40_000)\nlet n = 0\nfor (const _ of t.matchAll(/(\\d+)-(\\d+)/g)) n++',
    text: 'const c = {}\nconst words = "the quick brown fox ".repeat(50_000).split(" ")\nfor (const w of words) c[w] = (c[w] ?? 0) + 1\nwords.map((w) => w.toUpperCase()).join("")',
    'sha256 of 2 MB':
      'require("node:crypto").createHash("sha256").update(new Uint8Array(2_000_000)).digest("hex")',
    'big numbers': 'const x = 3n ** 40_000n\nfor (let i = 0; i < 20; i++) x * x',
  },
}

interface WorkFigures {
  readonly what: string
  readonly oursMs: number
  readonly nativeMs: number
}

/** The duration in ms that a program printed. */
function parseMs(output: string): number {
  const ms = Number(output.trim())
  if (Number.isNaN(ms) || output.trim() === '') throw new Error(`no time was printed: ${output}`)
  return ms
}

/** Measures the minimum of several alternating rounds, so that other load on the machine affects both equally. */
async function measureBoth(language: Language): Promise<readonly WorkFigures[]> {
  const { runtime, argv, native, works, timed } = language
  const children = await startChildren(ROOT, runtime)
  try {
    const all: WorkFigures[] = []
    for (const [what, work] of Object.entries(works)) {
      let [oursMs, nativeMs] = [Infinity, Infinity]
      for (let round = 0; round < ROUNDS; round++) {
        const nativeOutput = execFileSync(native, [argv[1], timed(work)], { encoding: 'utf8' })
        nativeMs = Math.min(nativeMs, parseMs(nativeOutput))
        const { stdout, stderr } = await children.run({ argv: [...argv, timed(work)] })
        if (stdout === '') throw new Error(`${language.what}, ${what}: ${stderr}`)
        oursMs = Math.min(oursMs, parseMs(stdout))
      }
      all.push({ what, oursMs, nativeMs })
    }
    return all
  } finally {
    await children.dispose()
  }
}

function lineOf({ what, times }: Language, version: string, figures: WorkFigures): FigureLine {
  const factor = figures.oursMs / figures.nativeMs
  const name = `${what}, ${figures.what}: against ${version}`
  const figure = `${factor.toFixed(1)} ×`
  return times === null ? plain(name, figure) : under(name, figure, factor, times, '×')
}

/** The version of the machine's program; null if it is not installed. */
function versionOf({ native, argv, version }: Language): string | null {
  try {
    return execFileSync(native, [argv[1], version], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

export async function measureWork(tell: ReportProgress): Promise<PartResult> {
  const lines: FigureLine[] = []
  const figures: Record<string, unknown> = {}
  for (const language of [PYTHON, NODE]) {
    const version = versionOf(language)
    tell(`sandbox-work: ${language.what}${version === null ? ': this machine has none to compare with' : ''}`)
    if (version === null) continue
    const all = await measureBoth(language)
    figures[language.what] = { version, works: all }
    lines.push(...all.map((figures) => lineOf(language, version, figures)))
  }
  return { lines, figures }
}
