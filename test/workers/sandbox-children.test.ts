// Guards "a script starts programs as it does elsewhere": in the shell of the same call, on the same files, within the
// same limits, and never endlessly.

import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'

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
import { call, FREE } from './scripted-guest.ts'

/** The cast is safe: a command uses only these methods of skills, and there are no skills here. */
const NO_SKILLS = { list: () => [], active: () => [] } as unknown as SkillAccess
/** A timeout for a test that never ends. */
const NEVER_MS = 120_000

/**
 * The files of dist/runtimes, as served by test/vitest.workers.config.ts. The cast is safe: only the tests have this
 * binding.
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

/** Runs a command with these files in the workspace. */
async function ran(
  command: string,
  texts: Readonly<Record<string, string>> = {},
  timeout_s = 50,
): Promise<ToolResult> {
  const files = new FakeFiles()
  for (const [path, text] of Object.entries(texts))
    await files.put(`workspace/${path}`, new Uint8Array(new TextEncoder().encode(text)))
  const sandbox = sandboxOf(parts, 'children', crypto.randomUUID())
  const context = toolContext({ skills: NO_SKILLS, files, sandbox })
  return BASH.make(context).run({ command, timeout_s }, call())
}

function words({ content, frame }: ToolResult): string {
  if (typeof content !== 'string') throw new Error('a command answers with text')
  return `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
}

/** What a script prints. */
async function printed(script: string, texts: Readonly<Record<string, string>> = {}): Promise<string> {
  return words(
    await ran(`cat > /tmp/script.py <<'THE_END'\n${script}\nTHE_END\npython3 /tmp/script.py`, texts),
  )
}

const START = 'import os, subprocess, sys\nfrom subprocess import PIPE, STDOUT, DEVNULL, Popen, run\n'

describe('subprocess', { timeout: NEVER_MS }, () => {
  test.each([
    [
      'run',
      `print(run(['echo', 'a b'], capture_output=True, text=True))`,
      `CompletedProcess(args=['echo', 'a b'], returncode=0, stdout='a b\\n', stderr='')`,
    ],
    [
      'a shell',
      `print(run('echo $((1+2)) | tr 3 4; exit 5', shell=True, stdout=PIPE))`,
      `CompletedProcess(args='echo $((1+2)) | tr 3 4; exit 5', returncode=5, stdout=b'4\\n')`,
    ],
    ['input', `print(run(['sort'], input='b\\na\\n', capture_output=True, text=True).stdout)`, 'a\nb'],
    ['bytes', `print(run(['cat'], input=bytes([0, 255]), stdout=PIPE).stdout)`, `b'\\x00\\xff'`],
    ['check_output', `print(subprocess.check_output(['python3', '-c', 'print(6*7)'], text=True))`, '42'],
    ['node', `print(subprocess.check_output(['node', '-p', '6*7'], encoding='utf-8'))`, '42'],
    [
      'sys.executable',
      `print(subprocess.check_output([sys.executable, '-c', 'import sys; print(sys.argv)', 'x']))`,
      `b"['-c', 'x']\\n"`,
    ],
    ['getoutput', `print(subprocess.getstatusoutput('echo x; echo y >&2; false'))`, `(1, 'x\\ny')`],
    ['call', `print(subprocess.call(['sh', '-c', 'echo out; exit 3']))`, 'out\n3'],
    [
      'check',
      `\ntry: run(['false'], check=True)\nexcept subprocess.CalledProcessError as e: print(e)`,
      `Command '['false']' returned non-zero exit status 1.`,
    ],
    [
      'its environment and folder',
      `os.mkdir('d'); run(['bash', '-c', 'echo $A; pwd'], env={'A': 'x'}, cwd='d')\nos.rmdir('d')`,
      'x\n/mnt/user-data/workspace/d',
    ],
    ['the environment of the script', `os.environ['A'] = 'x'; run('echo $A', shell=True)`, 'x'],
    [
      'one stream for output and errors',
      `print(run('echo a; echo b >&2; echo c', shell=True, stdout=PIPE, stderr=STDOUT).stdout)`,
      `b'a\\nb\\nc\\n'`,
    ],
    [
      'no output',
      `print(run('echo a; echo b >&2', shell=True, stdout=DEVNULL, stderr=DEVNULL).returncode)`,
      '0',
    ],
    [
      'a file for its output',
      `\nwith open('/tmp/f', 'w') as f: run(['echo', 'a'], stdout=f)\nprint(open('/tmp/f').read())`,
      'a',
    ],
    [
      'a file for its input',
      `\nopen('/tmp/f', 'w').write('q')\nwith open('/tmp/f') as f: run(['cat'], stdin=f)`,
      'q',
    ],
    [
      'large input and output',
      `print(len(run(['cat'], input=b'x' * 3_000_000, stdout=PIPE).stdout))`,
      '3000000',
    ],
    ['os.system', `print(os.system('echo x; exit 3') >> 8)`, 'x\n3'],
    ['os.popen', `print(os.popen('echo x').read())`, 'x'],
    ['os.execvp', `os.execvp('echo', ['echo', 'instead'])`, 'instead'],
    ['os.spawnlp', `print(os.spawnlp(os.P_WAIT, 'sh', 'sh', '-c', 'exit 4'))`, '4'],
    ['shutil.which', `import shutil; print(shutil.which('node'), shutil.which('git'))`, '/usr/bin/node None'],
  ])('has %s', async (_, script, expected) => {
    expect(await printed(START + script)).toBe(expected)
  })

  test('connects two programs with a pipe', async () => {
    const script = `
first = Popen(['printf', 'b\\\\na\\\\n'], stdout=PIPE)
second = Popen(['sort'], stdin=first.stdout, stdout=PIPE, text=True)
first.stdout.close()
print(second.communicate(), first.wait())
cat = Popen(['cat'], stdin=PIPE, stdout=PIPE, text=True)
upper = Popen(['tr', 'a-z', 'A-Z'], stdin=cat.stdout, stdout=PIPE, text=True)
cat.stdin.write('late'); cat.stdin.close()
print(upper.stdout.read(), upper.poll(), cat.poll())`
    expect(await printed(START + script)).toBe("('a\\nb\\n', None) 0\nLATE 0 0")
  })

  test('passes lines to a loop', async () => {
    const script = `
with Popen(['seq', '3'], stdout=PIPE, text=True) as process:
    for line in process.stdout: print(line.strip(), end=' ')
print(process.returncode)`
    expect(await printed(START + script)).toBe('1 2 3 0')
  })

  test('starts a program without waiting for it', async () => {
    const script = `
Popen(['touch', 'a'])
kept = Popen(['touch', 'b'])
import time; time.sleep(0.01)
print(sorted(os.listdir('.')))
last = Popen(['touch', 'c'])`
    expect(await printed(`${START}${script}`)).toMatch(/^\['a', 'b'\]\n\[Files changed: .*\/a .*\/b .*\/c /s)
  })

  test('reports a missing program with an alternative, and a missing folder', async () => {
    const script = `
for program in (['git', 'status'], ['./none.sh'], ['nosuch'], ['/usr/bin/make']):
    try: run(program)
    except FileNotFoundError as error: print(error)
try: run(['ls'], cwd='none')
except FileNotFoundError as error: print(error)
try: run(['.'])
except FileNotFoundError as error: print(error)
try: run(['/tmp'])
except PermissionError as error: print(error)`
    expect((await printed(START + script)).split('\n')).toEqual([
      "[Errno 2] No such file or directory (not in this sandbox: there is no repository. Use diff to compare files; the thread keeps its files without commits): 'git'",
      "[Errno 2] No such file or directory: './none.sh'",
      "[Errno 2] No such file or directory: 'nosuch'",
      expect.stringMatching(/not in this sandbox: nothing can be compiled/),
      "[Errno 2] No such file or directory: 'none'",
      "[Errno 2] No such file or directory: '.'",
      "[Errno 13] Permission denied: '/tmp'",
    ])
  })

  test('ends a program that takes too long', async () => {
    const script = `
for program in (['sleep', '50'], ['python3', '-c', 'import time; print("a", flush=True); time.sleep(50)']):
    try: run(program, timeout=0.5, capture_output=True)
    except subprocess.TimeoutExpired as error: print(error.timeout, error.cmd[0])
process = Popen(['sleep', '50'])
try: process.wait(timeout=0.2)
except subprocess.TimeoutExpired: process.kill()
print(process.wait())
process = Popen(['sleep', '50']); process.terminate(); print(process.wait())`
    expect(await printed(START + script)).toBe('0.5 sleep\n0.5 python3\n-9\n-15')
  })
})

describe('the files', { timeout: NEVER_MS }, () => {
  test('are shared by a script and the programs that it starts', async () => {
    const script = `
open('mine', 'w').write('1'); os.mkdir('empty'); os.remove('gone')
run('cat mine; ls; echo 2 >> mine; mkdir made; rmdir empty; rm -r folder; echo x > made/x; cp mine copy', shell=True)
print(open('mine').read().split(), sorted(os.listdir('.')), open('made/x').read())
open('mine', 'a').write('3'); import shutil; shutil.rmtree('made')
run(['python3', '-c', 'print(open("mine").read().split()); open("mine", "w").write("4")'])
print(open('mine').read())`
    expect((await printed(START + script, { gone: 'g', 'folder/a': 'a' })).split('\n')).toEqual([
      '1empty',
      'folder',
      'mine',
      "['12', '3']",
      "['12'] ['copy', 'made', 'mine'] x",
      '',
      '4',
      '[Files changed: /mnt/user-data/workspace/mine (1 bytes), /mnt/user-data/workspace/copy (3 bytes), ' +
        '/mnt/user-data/workspace/folder/a removed, /mnt/user-data/workspace/gone removed.]',
    ])
  })
})

describe('a started program', { timeout: NEVER_MS }, () => {
  test('may start others, up to a depth, and never waits for an isolate that waits for it', async () => {
    const script = `
depth = int(sys.argv[1]) if len(sys.argv) > 1 else 1
print(depth, flush=True)
done = run(['python3', __file__, str(depth + 1)], capture_output=True, text=True)
print(done.stdout.strip(), done.stderr.strip()[-40:], done.returncode)`
    expect(await printed(START + script)).toMatch(/^1\n2\n3\n4\n.*more than 4 programs in each other 126/s)
  })

  test('ends with the call, whose files then stay as they were', async () => {
    const endless = `${START}open('a', 'w').write('x'); run(['python3', '-c', 'while True: pass'])`
    expect(words(await ran(`python3 -c "${endless.replaceAll('\n', ';')}"`, {}, 1))).toMatch(
      /Stopped after 1 s.*No file was changed/,
    )
    const flood = `${START.replaceAll('\n', ';')}run('yes', shell=True, stdout=PIPE)`
    expect(words(await ran(`python3 -c "${flood}"`))).toMatch(
      /Stopped because it needed more than.*No file was changed/,
    )
    const many = `${START.replaceAll('\n', ';')}run('touch {1..3000}', shell=True)`
    expect(words(await ran(`python3 -c "${many}"`))).toMatch(
      /Stopped after writing .* 2000 files.*No file was changed/,
    )
  })

  test("counts its output towards the script's limit", async () => {
    const script = `\nfor _ in range(100): run(['head', '-c', '1000000', '/dev/zero'])`
    expect(words(await ran(`python3 - <<'END' > /tmp/out\n${START}${script}\nEND`))).toMatch(
      /python3 was stopped after printing 8 MiB/,
    )
  })

  test('has changes that are distinguished from those of a stopped script', async () => {
    const script = `
open('before', 'w').write('x')
run(['touch', 'child'])
open('after', 'w').write('x')
x = 'x' * 10**9`
    const result = words(await ran(`python3 - <<'END'\n${START}${script}\nEND\nls`))
    expect(result).toMatch(/^before\nchild\n/)
    expect(result).toMatch(/its changes after it last started a program were discarded/)
  })

  test('can be one of asyncio, too', async () => {
    const script = `
import asyncio
from asyncio.subprocess import PIPE
async def main():
    a = await asyncio.create_subprocess_exec('sort', stdin=PIPE, stdout=PIPE)
    print(await a.communicate(b'b\\na\\n'), a.returncode)
    b = await asyncio.create_subprocess_shell('seq 3; exit 2', stdout=PIPE)
    print([line async for line in b.stdout], await b.wait())
    try: await asyncio.create_subprocess_exec('git')
    except FileNotFoundError: print('none')
asyncio.run(main())`
    expect(await printed(START + script)).toBe("(b'a\\nb\\n', None) 0\n[b'1\\n', b'2\\n', b'3\\n'] 2\nnone")
  })
})

test('zoneinfo knows the time zones', { timeout: NEVER_MS }, async () => {
  const script = `
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
print(datetime(2026, 7, 1, 12, tzinfo=ZoneInfo('Europe/Berlin')).astimezone(ZoneInfo('America/New_York')).isoformat())
print(datetime(2026, 3, 29, 1, 30, tzinfo=ZoneInfo('UTC')).astimezone(ZoneInfo('Europe/Berlin')).tzname())
print(len(available_timezones()) > 400, ZoneInfo('Asia/Kolkata').utcoffset(datetime(2026, 1, 1)))
try: ZoneInfo('Nowhere/None')
except ZoneInfoNotFoundError as error: print(error)`
  expect(await printed(script)).toBe(
    "2026-07-01T06:00:00-04:00\nCEST\nTrue 5:30:00\n'No time zone found with key Nowhere/None'",
  )
})
