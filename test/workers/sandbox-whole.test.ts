// Guards "a command is one piece of work": the real shell and programs share one file tree, with empty folders and
// /tmp; output is shown as it is printed; and cancelling a call ends all of them at once.

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

import type { ToolResult } from '../../src/agent/tool.ts'
import { commandQueue } from '../../src/sandbox/command-queue.ts'
import { Isolates } from '../../src/sandbox/isolates.ts'
import { Runtimes } from '../../src/sandbox/runtimes.ts'
import type { FileSource } from '../../src/sandbox/file-source.ts'
import { sandboxOf, type SandboxParts } from '../../src/sandbox/sandbox.ts'
import type { SkillAccess } from '../../src/skills/view/access.ts'
import { BASH } from '../../src/tools/files/bash.ts'
import { toolContext } from '../fakes/tool-context.ts'
import { FakeFiles } from '../fakes/files.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { call, FREE } from './scripted-guest.ts'

/** The cast is safe: a command uses only these methods of skills, and there are no skills here. */
const NO_SKILLS = { list: () => [], active: () => [] } as unknown as SkillAccess
/** A timeout for a test that never ends. */
const NEVER_MS = 60_000

/**
 * The files of dist/runtimes, as served by test/vitest.workers.config.ts. The cast is safe: only the tests have this binding.
 */
const { RUNTIMES } = env as unknown as { readonly RUNTIMES: FileSource }
const runtimes = new Runtimes([
  { fetch: async (url) => RUNTIMES.fetch(`http://runtimes/${url.slice(url.lastIndexOf('/') + 1)}`) },
])
const parts: SandboxParts = {
  isolates: new Isolates(env.LOADER, runtimes, Date.now),
  deadlines: FREE,
  queue: commandQueue(Date.now),
  now: Date.now,
}

async function ran(
  command: string,
  of = call(),
  timeout_s = 50,
  thread: string = crypto.randomUUID(),
  files = new FakeFiles(),
): Promise<ToolResult> {
  const sandbox = sandboxOf(parts, 'whole', thread)
  return BASH.make(toolContext({ skills: NO_SKILLS, files, sandbox })).run({ command, timeout_s }, of)
}

function words({ content, frame }: ToolResult): string {
  if (typeof content !== 'string') throw new Error('a command answers with text')
  return `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
}

describe('the order of output', { timeout: NEVER_MS }, () => {
  it.each([
    [
      'Node writes both at once',
      `node -e 'console.error("e1"); console.log("o1"); console.error("e2"); console.log("o2")' 2>&1`,
      'e1\no1\ne2\no2',
    ],
    [
      'Python buffers its output until it ends',
      `python3 -c 'import sys; print("o1"); print("e1", file=sys.stderr); print("o2")' 2>&1`,
      'e1\no1\no2',
    ],
    [
      'Python writes flushed output at once, through a pipe and into a file',
      `P='import sys; print("o1", flush=True); print("e1", file=sys.stderr); print("o2")'; python3 -c "$P" 2>&1 | cat; python3 -u -c "$P" > out 2>&1; cat out; rm out`,
      'o1\ne1\no2\no1\ne1\no2',
    ],
    [
      'Python flushes the output of a script before its exception, and that of -c after it',
      `echo 'print(1); raise SystemExit("end")' > a.py; python3 a.py 2>&1; python3 -c "$(cat a.py)" 2>&1; rm a.py`,
      '1\nend\nend\n1',
    ],
    [
      'a program that Python starts',
      `python3 - <<'END' 2>&1
import os
os.system("echo e1 >&2; echo o1; echo e2 >&2; node -e 'console.error(3); console.log(4)'")
END`,
      'e1\no1\ne2\n3\n4',
    ],
    [
      'two folders',
      `node -e 'console.error("e1"); console.log("o1"); console.error("e2")' 2>errors; cat errors; rm errors`,
      'o1\ne1\ne2',
    ],
  ])('is kept: %s', async (_, command, expected) => {
    expect(words(await ran(command)).trim()).toBe(expected)
  })
})

describe('the tree', { timeout: NEVER_MS }, () => {
  const LIST = `import os, sys; print(sorted(os.listdir(sys.argv[1])))`
  it.each([
    ['an empty folder of the shell', `mkdir -p out/deep; python3 -c '${LIST}' out`, "['deep']"],
    [
      'the same for node',
      `mkdir -p out/deep; node -e 'console.log(require("fs").readdirSync("out"))'`,
      "[ 'deep' ]",
    ],
    [
      'an empty folder of a program',
      `python3 -c 'import os; os.makedirs("a/b")'; node -e 'require("fs").mkdirSync("a/c")'; ls a`,
      'b\nc',
    ],
    ['a folder that a program removed', `mkdir a b; python3 -c 'import os; os.rmdir("a")'; ls`, 'b'],
    [
      'a folder that the shell removed',
      `mkdir a; rmdir a; python3 -c 'import os; os.mkdir("a"); print("made")'`,
      'made',
    ],
    [
      'modes that Node set',
      `node -e 'const f = require("fs"); f.writeFileSync("a", "", { mode: 0o600 }); f.mkdirSync("d", { mode: 0o700 }); f.writeFileSync("b", ""); f.chmodSync("b", "755"); f.writeFileSync("c", ""); console.log((f.statSync("a").mode & 0o777).toString(8))'; stat -c %a a d b c; find . -perm -u+x -type f; python3 -c 'import os; print(oct(os.stat("d").st_mode), os.access("b", os.X_OK), os.access("c", os.X_OK))'; rm -r a b c d`,
      '600\n600\n700\n755\n644\n./b\n0o40700 True False',
    ],
    [
      'modes that Python set, even on a moved file',
      `python3 -c 'import os, shutil; os.close(os.open("a", os.O_CREAT | os.O_WRONLY, 0o600)); open("b", "w"); os.chmod("b", 0o711); os.rename("b", "d"); os.mkdir("e", 0o700); shutil.copy("d", "c")'; stat -c %a a c d e; test -x d && echo runs; rm -r a c d e`,
      '600\n711\n711\n700\nruns',
    ],
    [
      'modes that the shell set, for programs and their children',
      `touch a b.sh; chmod 755 a; chmod 600 b.sh; python3 -c 'import os; print(oct(os.stat("a").st_mode), os.access("b.sh", os.X_OK)); os.chmod("a", 0o640); os.system("stat -c %a a; chmod 644 a"); print(oct(os.stat("a").st_mode))'; node -e 'const f = require("fs"); try { f.accessSync("a", f.constants.X_OK) } catch (e) { console.log(e.code) }'; rm a b.sh`,
      '640\n0o100755 False\n0o100644\nEACCES',
    ],
    [
      'the umask, which programs inherit and pass on',
      `umask 077; python3 -c 'import os; open("a", "w"); os.system("touch b; umask"); print(oct(os.umask(2))); os.system("touch c")'; node -e 'const f = require("fs"); f.mkdirSync("d"); console.log(process.umask(0), process.umask("27")); f.writeFileSync("e", "")'; touch f; stat -c %a a b c d e f; rm -r a b c d e f`,
      '0077\n0o77\n63 0\n600\n600\n664\n700\n640\n600',
    ],
    [
      'a pipe between programs, whichever starts first',
      `(sleep 0.1; python3 -c 'print(1)') | python3 -c 'import sys; print(sys.stdin.read())' | node -e 'process.stdin.on("data", (data) => console.log(data.length))'`,
      '3',
    ],
    [
      'the mode of a new file, whatever its name',
      `python3 -c 'import os; open("a.sh", "w"); print(os.access("a.sh", os.X_OK))'; node -e 'require("fs").writeFileSync("b.mjs", "")'; echo > c.py; stat -c %a a.sh b.mjs c.py; rm a.sh b.mjs c.py`,
      'False\n644\n644\n644',
    ],
    [
      'a time that Node set',
      `touch a; node -e 'require("fs").utimesSync("a", 5, 1e9)'; stat -c %Y a; python3 -c 'import os; print(os.stat("a").st_mtime)'; rm a`,
      '1000000000\n1000000000.0',
    ],
    [
      'a time that Node set by descriptor',
      `node -e 'const f = require("fs"); const d = f.openSync("a", "w"); f.futimesSync(d, 5, 1e9)'; stat -c %Y a; rm a`,
      '1000000000',
    ],
    [
      'a time that Python set',
      `touch b; python3 -c 'import os; os.utime("b", (5, 86400))'; ls -l --time-style=+%F b | cut -d" " -f6; find . -newer b; echo; touch -d @90000 c; find . -newer b; rm b c`,
      '1970-01-02\n.\n\n.\n./c',
    ],
    [
      'the time of a change after it was set',
      `node -e 'const f = require("fs"); f.writeFileSync("a", ""); f.utimesSync("a", 5, 5); f.writeFileSync("a", "x")'; test $(stat -c %Y a) -gt 1000 && echo new; rm a`,
      'new',
    ],
    ['/tmp', `python3 -c 'open("/tmp/x", "w").write("here")'; cat /tmp/x; rm /tmp/x; ls /tmp`, 'here'],
  ])('has %s', async (_, command, expected) => {
    expect(words(await ran(command))).toBe(expected)
  })
})

describe('a large file', { timeout: NEVER_MS }, () => {
  /** 20 MB are more than programs hold. The shell holds less, and 12 MB are enough for it. */
  const [PROGRAM_LINES, SHELL_LINES] = [1_000_000, 600_000]
  const LINE = (at: number): string => `line ${String(at).padStart(14, '0')}\n`
  /** Lines of 20 bytes, each containing its own number. */
  const linesOf = (count: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(count * 20)
    for (let at = 0; at < count; at += 1_000)
      new TextEncoder().encodeInto(
        Array.from({ length: 1_000 }, (_, more) => LINE(at + more)).join(''),
        bytes.subarray(at * 20),
      )
    return bytes
  }
  let all: Uint8Array<ArrayBuffer> | null = null
  const large = (lines: number): Uint8Array<ArrayBuffer> =>
    (all ??= linesOf(PROGRAM_LINES)).slice(0, lines * 20)
  const onLarge = async (
    command: string,
    lines = SHELL_LINES,
    files = new FakeFiles(),
  ): Promise<[ToolResult, FakeFiles]> => {
    await files.put('workspace/large', large(lines))
    const result = await ran(command, call(), 50, crypto.randomUUID(), files)
    await files.apply(result.changes)
    return [result, files]
  }
  const contentOf = async (files: FakeFiles, path: string): Promise<Uint8Array | null> => {
    const row = files.get(path)
    const bytes = row && (await files.read(row))
    return bytes?.ok === true ? bytes.value : null
  }

  const same = (whole: Buffer): Buffer => whole
  const MOVE = `node -e 'require("fs").renameSync("/tmp/x", "moved")'`
  it.each([
    ['is copied without being read', 'cp large copy', 'copy', same],
    [
      'is filtered',
      "grep -v '^line 000000000' large > out",
      'out',
      (whole: Buffer) => whole.subarray(2_000_000),
    ],
    [
      'is appended to',
      'echo end >> large',
      'large',
      (whole: Buffer) => Buffer.concat([whole, Buffer.from('end\n')]),
    ],
    ['is moved by a program', `python3 -c 'import os; os.rename("large", "moved")'`, 'moved', same],
    ['that was written can be moved by a program', `cat large > /tmp/x; ${MOVE}`, 'moved', same],
    [
      'is cut to its end',
      'tail -c +2000001 large > out',
      'out',
      (whole: Buffer) => whole.subarray(2_000_000),
    ],
  ])('%s', async (_, command, path, expected) => {
    const [result, files] = await onLarge(command)
    expect(words(result)).toContain('Files changed')
    const content = await contentOf(files, `workspace/${path}`)
    // Compared as a whole, so that a difference does not print 12 MB.
    expect(Buffer.from(content ?? []).equals(expected(Buffer.from(large(SHELL_LINES))))).toBe(true)
    expect(files.kept.size).toBe(0)
  })

  it('that is written can be read in the same command, by programs too', async () => {
    const [result, files] = await onLarge(
      `head -c 10000000 large > half; tail -n 1 half; wc -c half; python3 -c 'print(sum(1 for _ in open("half")))'; rm half`,
    )
    expect(words(result)).toBe(`${LINE(499_999)}10000000 half\n500000`)
    expect(files.kept.size).toBe(0)
  })

  const NODE_LINES = `const fs = require("fs"); let n = 0; fs.createReadStream("large").on("data", (d) => (n += d.length)).on("end", () => console.log(n))`
  const LOOP = `(async () => { let n = 0; for await (const line of require("readline").createInterface({ input: require("fs").createReadStream("part") })) n += Number(line.slice(5)); console.log(n) })()`
  it.each([
    ['lines in python3', `python3 -c 'print(sum(1 for _ in open("large")))'`, '1000000'],
    [
      'its end in python3',
      `python3 -c 'f = open("large", "rb"); f.seek(-20, 2); print(f.read())'`,
      String.raw`b'line 00000000999999\n'`,
    ],
    [
      'a mapping in python3',
      `python3 -c 'import mmap; f = open("large", "rb"); m = mmap.mmap(f.fileno(), 18_000_000, access=mmap.ACCESS_READ); print(m[17_999_980:])'`,
      String.raw`b'line 00000000899999\n'`,
    ],
    [
      '20 MB as text in python3',
      `cat large > part; python3 -c 'text = open("part").read(); print(len(text), text[-20:])'; rm part`,
      '20000000 line 00000000999999',
    ],
    ['a stream in node', `node -e '${NODE_LINES}'`, '20000000'],
    [
      '20 MB as bytes in node',
      `node -e 'const b = Buffer.alloc(19_999_980); const fs = require("fs"); console.log(fs.readSync(fs.openSync("large"), b, 0, b.length, 20), b.subarray(-20).toString())'`,
      '19999980 line 00000000999999',
    ],
    [
      '20 MB as text in node',
      `cat large > part; node -e 'const text = require("fs").readFileSync("part", "utf8"); console.log(text.length, text.slice(-20))'; rm part`,
      '20000000 line 00000000999999',
    ],
    ['lines in node', `head -c 400000 large > part; node -e '${LOOP}'; rm part`, '199990000'],
  ])('is read by programs in parts: %s', async (_, command, expected) => {
    const [result] = await onLarge(command, PROGRAM_LINES)
    expect(words(result).trim()).toBe(expected)
  })

  it('ends a program that would hold too much of it, and the error names it', async () => {
    const [result] = await onLarge(`python3 -c 'open("large", "r+").read()'`, PROGRAM_LINES)
    expect(words(result)).toContain("Out of memory: 'large'")
  })

  it('is not written if its parts exceed the quota, and the command says so', async () => {
    const files = new FakeFiles()
    files.refusal = 'This thread has no space left.'
    const [result] = await onLarge('cat large > out; echo on', SHELL_LINES, files)
    expect(result).toMatchObject({ isError: true })
    expect(words(result)).toContain('No space left on device: This thread has no space left.')
    expect(result.changes).toBeUndefined()
  })

  it('is not written if the command does not end', async () => {
    const files = new FakeFiles()
    await files.put('workspace/large', large(SHELL_LINES))
    const result = await ran('cat large > out; while :; do :; done', call(), 2, crypto.randomUUID(), files)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(files.kept.size).toBe(0)
  })
})

describe('the output of a program', { timeout: NEVER_MS }, () => {
  const SLOW = `python3 -c 'import sys; print("first", flush=True); sys.stdin.read(); print("é")'`

  it.each([
    ['of a program alone', SLOW],
    ['after a command without output', `cd /tmp && X=1 ${SLOW} 2>&1`],
  ])('is shown once, as it arrives: %s', async (_, command) => {
    const of = call()
    const waiting = command.replace('sys.stdin.read()', 'import time; time.sleep(60)')
    const stop = new AbortController()
    const held = call(stop.signal)
    const running = ran(waiting, held)
    await eventually(
      () => held.reported.join(''),
      (reported) => reported === 'first\n',
    )
    stop.abort()
    expect(words(await running)).toContain('Stopped because the run was stopped. No file was changed.')
    expect(words(await ran(command, of))).toBe('first\né')
    expect(of.reported.join('')).toBe('first\né\n')
  })

  it.each([
    [`echo before; ${SLOW}; echo after`, 'before\nfirst\né\nafter\n'],
    [`${SLOW} | tr a-z A-Z`, 'FIRST\né\n'],
    [`${SLOW} > f; wc -l < f`, '2\n'],
    [`x=$(${SLOW}); echo "[$x]"`, '[first\né]\n'],
    [`echo "$(${SLOW})" && node -e 'console.log(1)'`, 'first\né\n1\n'],
    [`for i in 1 2; do ${SLOW}; done`, 'first\né\nfirst\né\n'],
  ])('is the output of the command, once: %s', async (command, expected) => {
    const of = call()
    const result = words(await ran(command, of))
    expect(result.startsWith(expected.trimEnd())).toBe(true)
    expect(of.reported.join('')).toBe(expected)
  })
})

describe('a stop', { timeout: NEVER_MS }, () => {
  it.each([
    ['the shell', 'echo on; while :; do :; done'],
    ['a sleep', 'echo on; sleep 300'],
    ['python3', `python3 -c 'print("on", flush=True)\nwhile True: pass'`],
    ['node', `node -e 'console.log("on"); setInterval(() => {}, 10)'`],
    ['node in a loop', `node -e 'console.log("on"); for (;;);'`],
  ])('reaches %s at once when a call is cancelled, and its isolates serve the next', async (_, command) => {
    const stop = new AbortController()
    const of = call(stop.signal)
    const thread = crypto.randomUUID()
    const running = ran(command, of, 300, thread)
    await eventually(
      () => of.reported.join(''),
      (reported) => reported.startsWith('on'),
    )
    stop.abort()
    expect(words(await running)).toContain('because the run was stopped')
    const next = await ran(`python3 -c 'print(1)'; node -e 'console.log(2)'`, call(), 50, thread)
    expect(words(next)).toBe('1\n2')
  })

  it('of a program by time ends the command and drops its changes, whoever notices first', async () => {
    const result = await ran(`echo x > kept; node -e 'for (;;);'; echo on`, call(), 1)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(words(result)).toContain('[Stopped after 1 s, its time limit.')
    expect(words(result)).not.toContain('node was stopped')
  })

  it('of a shell command that never pauses says so', async () => {
    // Each of 60,000 start positions tries all end positions.
    const script = 'x=$(printf "%060000d" 0); echo ${x//0*1/}'
    expect(words(await ran(script))).toContain(
      '[Stopped because a single shell command ran for 0.7 s without a pause.',
    )
  })
})
