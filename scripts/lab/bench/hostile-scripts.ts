// Commands that never end, or that use up resources. The tool `bash` must end them in time while serving others.
// Contains only text.

/** A command's description, and its program. */
export interface HostileScript {
  readonly program: 'bash' | 'python3' | 'node'
  readonly what: string
  readonly command: string
}

const bash: Readonly<Record<string, string>> = {
  'an endless loop': 'while :; do :; done',
  'a loop over arithmetic': 'for ((;;)); do x=$((x+1)); done',
  'an endless loop in awk': "awk 'BEGIN{while(1){}}'",
  'an endless loop in sed': "echo a | sed ':a;s/b/c/;ba'",
  'sed that grows its line': "echo a | sed ':a;s/a/aa/g;ba'",
  'an endless loop in jq': "jq -n '[1|while(true;.+1)]'",
  'sorting two million lines': 'seq 1 2000000 | sort -r | sort -n | tail -1',
  'a pattern that backtracks': 'x=$(printf "%05000d" 0); while :; do [[ $x == *0*0*0*0*0*0*0*0*1 ]]; done',
  'a regular expression': 'x=$(printf "%0200d" 0); while :; do echo $x | grep -cE "(0+)+1" > /dev/null; done',
  'a fork bomb': ':(){ :|:& };:',
  'text that doubles': 'a=x; while :; do a=$a$a; done',
  'ten billion digits': 'printf "%010000000000d" 1',
  'ten billion words': 'echo {1..10000000000} | wc -w',
  'a gigabyte of output': 'for i in $(seq 1 1100); do printf "%01000000d" 1; done',
  '100,000 files': 'for i in $(seq 1 100000); do echo > f$i; done',
  'find in find': 'find / -exec find / \\; > /dev/null; while :; do find /; done > /dev/null',
  'a sleep': 'sleep 100',
  'a script that calls itself': 'echo ./r.sh > r.sh; chmod +x r.sh; ./r.sh',
  'a text that evaluates itself': 'e="eval \\$e"; eval "$e"',
  'scripts in loops of scripts':
    "echo 'while :; do [ $1 -lt 90 ] && ./d.sh $(($1+1)); done' > d.sh; chmod +x d.sh; ./d.sh 1",
  'a loop that starts python3': 'while :; do python3 -c 1; done',
  'a loop that starts node': 'while :; do node -e 1; done',
  'a program for each line': 'seq 1 100000 | xargs -n1 python3 -c 1',
  'a loop that reads a large file': 'seq 1 1000000 > z; while :; do cat z; done > /dev/null',
}

const python: Readonly<Record<string, string>> = {
  'an endless loop': 'while True: pass',
  'a loop that catches everything': 'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
  'a sum in C': 'sum(range(10**12))',
  'an iterator in C': 'import collections, itertools\ncollections.deque(itertools.repeat(1), maxlen=0)',
  'a regular expression': 'import re\nre.match(r"(a+)+$", "a" * 40 + "b")',
  'sorting with a key': 'x = list(range(10**5))\nwhile 1: x.sort(key=lambda v: -v); x.reverse()',
  'sorting in C': 'import random\nx = [random.random() for _ in range(10**5)]\nwhile 1: sorted(x)',
  'a huge power': 'x = 10**10**9',
  'a huge number as text': 'import sys\nsys.set_int_max_str_digits(0)\nx = str(7**3000000)',
  'an exponential hash': 'a = ()\nfor i in range(100): a = (a, a)\nhash(a)',
  replacing: 'x = "ab" * 10**6\nwhile 1: x.replace("a", "c")',
  'copying ten megabytes': 'x = bytes(10**7)\nwhile 1: bytearray(x)',
  'reading JSON': 'import json\nt = "[" + "1," * 10**6 + "1]"\nwhile 1: json.loads(t)',
  packing: 'import zlib\nx = bytes(10**7)\nwhile 1: zlib.compress(x, 9)',
  digests: 'import hashlib\nx = bytes(10**7)\nwhile 1: hashlib.sha256(x)',
  '10 GB': 'x = bytearray(10**10)',
  'a list without end': 'x = []\nwhile True: x.append("a" * 10**6)',
  'catching MemoryError': 'while True:\n  try: bytearray(10**9)\n  except MemoryError: pass',
  'a gigabyte of output': 'import os\nfor i in range(1024): os.write(1, bytes(1 << 20))',
  'lines without end': 'while True: print("x" * 1000)',
  '100,000 files': 'for i in range(100_000): open(str(i), "w").close()',
  forks: 'import os\nwhile True: os.fork()',
  'a sleep': 'import time\ntime.sleep(100)',
}

const node: Readonly<Record<string, string>> = {
  'an endless loop': 'for (;;);',
  'a loop that catches everything': 'while (true) { try { while (true); } catch {} }',
  'a loop in a required file': 'require("./spin.js")',
  'a regular expression': '/(a+)+$/.test("a".repeat(40) + "b")',
  'searching a huge empty array': 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'joining nothing': 'new Array(2 ** 29).join()',
  'filling a billion': 'new Array(1e9).fill(0)',
  'sorting with a comparator':
    'const a = Array.from({ length: 1e5 }, Math.random); for (;;) a.slice().sort((x, y) => x - y)',
  'a comparator that never ends': '[2, 1].sort(() => { for (;;); })',
  'sorting as text': 'const a = Array.from({ length: 1e5 }, Math.random); for (;;) a.slice().sort()',
  'sorting typed numbers': 'const t = new Float64Array(1e6); for (;;) t.sort()',
  'copying ten megabytes': 'const t = new Uint8Array(1e7); for (;;) t.slice()',
  'filling ten megabytes': 'const t = new Uint8Array(1e7); for (;;) t.fill(1)',
  repeating: 'for (;;) "ab".repeat(5e6)',
  padding: 'for (;;) "a".padEnd(1e7, "bc")',
  replacing: 'const s = "ab".repeat(1e6); for (;;) s.replaceAll("a", "c")',
  splitting: 'const s = "a,".repeat(2e5); for (;;) s.split(",").join(";")',
  'text that doubles': 'let s = "x"; for (;;) s += s',
  'text that grows': 'let s = ""; for (;;) s += "x".repeat(1e5)',
  'a huge power': 'const x = 3n ** 3000000n; for (;;) x * x',
  'a power without bounds': '2n ** (2n ** 40n)',
  'a huge number as text': 'const x = 3n ** 2000000n; for (;;) x.toString()',
  'reading JSON':
    'const t = JSON.stringify(Array.from({ length: 2e5 }, (_, i) => i)); for (;;) JSON.parse(t)',
  'writing JSON': 'const t = Array.from({ length: 2e5 }, (_, i) => i); for (;;) JSON.stringify(t)',
  'reading broken JSON': 'const t = "[" + "1,".repeat(1e6); for (;;) try { JSON.parse(t) } catch {}',
  'structured clones':
    'const t = Array.from({ length: 1e4 }, (_, i) => ({ i })); for (;;) structuredClone(t)',
  'addresses of 100 KB': 'for (;;) new URL("http://a/" + "x".repeat(1e5))',
  'addresses of a megabyte': 'for (;;) new URL("http://a/" + "x".repeat(1e6))',
  'text as bytes and back': 'const s = "ä".repeat(1e6); for (;;) Buffer.from(Buffer.from(s).toString())',
  'base64 of megabytes': 'const b = Buffer.alloc(3e6); for (;;) Buffer.from(b.toString("base64"), "base64")',
  'languages of large numbers': 'for (;;) (10n ** 20000n).toLocaleString()',
  'words in order':
    'const a = Array.from({ length: 1e4 }, (_, i) => "w" + i); for (;;) a.sort((x, y) => y.localeCompare(x))',
  'normal forms': 'const s = "e\\u0301".repeat(1e6); for (;;) s.normalize("NFC")',
  packing: 'const z = require("zlib"), b = Buffer.alloc(1e7); for (;;) z.gzipSync(b)',
  unpacking: 'const z = require("zlib"), b = z.gzipSync(Buffer.alloc(1e6)); for (;;) z.gunzipSync(b)',
  digests: 'const b = Buffer.alloc(1e7); for (;;) require("crypto").createHash("sha256").update(b).digest()',
  compiling: 'for (;;) new Function("return " + "1+".repeat(1e5) + "1")',
  'taking types out':
    'const m = require("module"); for (;;) m.stripTypeScriptTypes("const a: number = 1;".repeat(1e4))',
  promises: '(async () => { for (;;) await 1 })()',
  ticks: 'const t = () => process.nextTick(t); t()',
  '10 GB': 'new ArrayBuffer(1e10)',
  objects: 'const a = []; for (;;) a.push({ x: 1 })',
  'a gigabyte of output': 'const s = "x".repeat(1e6); for (let i = 0; i < 1100; i++) console.log(s)',
  '100,000 files': 'const fs = require("fs"); for (let i = 0; i < 1e5; i++) fs.writeFileSync("f" + i, "x")',
  'showing what is large':
    'const a = Array.from({ length: 1e5 }, (_, i) => ({ i })); for (;;) require("util").inspect(a, { maxArrayLength: null })',
}

function hostileScripts(
  program: HostileScript['program'],
  scripts: Readonly<Record<string, string>>,
  command: (code: string) => string,
): readonly HostileScript[] {
  return Object.entries(scripts).map(([what, code]) => ({ program, what, command: command(code) }))
}

const quoted = (code: string): string => `'${code.replaceAll("'", String.raw`'\''`)}'`

export const HOSTILE: readonly HostileScript[] = [
  ...hostileScripts('bash', bash, (code) => code),
  ...hostileScripts('python3', python, (code) => `python3 -c ${quoted(code)}`),
  ...hostileScripts('node', node, (code) => `echo 'for (;;);' > spin.js; node -e ${quoted(code)}`),
]
