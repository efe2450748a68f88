// Guards commands in a run: they go through the real shell, Python and JavaScript in isolates, over the thread's own
// files, and their changes are stored with their result.

import { describe, expect, it } from 'vitest'
import { tree, upload } from '../fault/files-rig.ts'
import { speaks, TestThread, value } from '../fault/rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, text, use } from '../fault/scripted-model.ts'

const DONE = { content: [text('Done.')] }

/** What the shell suggests instead of file, pr, sdiff, basenc, bzip2, xz, zdiff, rename, uuidgen and cal. */
const INSTEAD = String.raw`cd "$(mktemp -d)"; printf 'a\nb\n' > f; printf 'a\nc\n' > g
head -c 16 f | xxd
paste f g; column -c 20 f; fold -w 1 f | tail -n 1
diff -y -W 20 f g
printf '>>?' | base64 | tr '+/' '-_'; printf x | base32; printf x | xxd -p
python3 -c 'import bz2, uuid; bz2.open("f.bz2", "wb").write(b"kept\n"); print(bz2.open("f.bz2").read(), len(str(uuid.uuid4())))'
gzip f; zip -q g.zip g; unzip -p g.zip; gzip g; diff <(zcat f.gz) <(zcat g.gz)
for name in *.gz; do mv "$name" "${'$'}{name/gz/old}"; done; ls
python3 -m calendar 2026 11 | head -n 1`
const INSTEAD_PRINTS = `00000000: 610a 620a                                a.b.
a\ta
b\tc
a\tb
b
a\ta
b     |\tc
Pj4_
PA======
78
b'kept\\n' 36
a
c
2c2
< b
---
> c
f.bz2
f.old
g.old
g.zip
   November 2026`

/** A run that executes these commands, one per step. Returns the results that the model got. */
async function commands(
  thread: TestThread,
  ...lines: readonly string[]
): Promise<{ readonly runId: string; readonly output: readonly string[] }> {
  const { run_id } = await thread.start('Go.')
  await thread.ended(run_id)
  const results = (await thread.messages())
    .filter(({ run_id: of }) => of === run_id)
    .flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
  expect(results).toHaveLength(lines.length)
  return { runId: run_id, output: results.map((block) => String(block['content'])) }
}

function running(lines: readonly string[], timeout_s = 60): TestThread {
  const model = new ScriptedModel((request) => {
    const line = lines[answersSince(request)]
    return line === undefined
      ? DONE
      : { content: [use(`t${answersSince(request)}`, 'bash', { command: line, timeout_s })] }
  })
  return new TestThread(speaks(model))
}

describe('a command of a run', () => {
  it('reads uploads, runs python3 in a pipe, and writes presented files', async () => {
    const lines = [
      `python3 -c 'import csv, sys, json; print(json.dumps([sum(int(r["n"]) for r in csv.DictReader(open(sys.argv[1])))]))' ../uploads/in.csv > ../outputs/z.json && head -c 20 ../outputs/z.json`,
      'cat ../outputs/z.json | wc -c; ls /mnt/skills; exit 4',
    ]
    const thread = running(lines)
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, { 'uploads/in.csv': 'n\n1\n2\n39\n' })
    const { runId, output } = await commands(thread, ...lines)
    expect(output[0]).toBe('[42]\n[Files changed: /mnt/user-data/outputs/z.json (5 bytes).]')
    expect(output[1]).toContain('5\npublic\n[Exit code 4.]')
    expect(await tree(thread)).toMatchObject({ 'outputs/z.json': '[42]\n' })
    const written = (await thread.replay(runId)).filter(({ type }) => type === 'file.written')
    expect(written).toMatchObject([{ path: '/mnt/user-data/outputs/z.json', bytes: 5 }])
  })

  it('passes bytes from python3 to node and back, over files of the thread', async () => {
    const lines = [
      `cat > sum.mjs <<'END'
import { readFileSync, writeFileSync } from 'node:fs'
import { total } from './lib/total.ts'
const rows = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync('../outputs/total.json', JSON.stringify({ total: total(rows), by: process.argv[2] }))
console.log(rows.length)
END
mkdir lib; echo 'export const total = (rows: number[]): number => rows.reduce((a, b) => a + b, 0)' > lib/total.ts
python3 -c 'import json; print(json.dumps([1, 2, 39]))' | node sum.mjs me | python3 -c 'print(int(input()) * 2)'
rm -r lib`,
      'node sum.mjs; echo "node: $?"; cat ../outputs/total.json',
      `node -e 'require("fs").writeFileSync("half", "x"); for (;;);'; ls`,
    ]
    const thread = running(lines, 2)
    const { output } = await commands(thread, ...lines)
    expect(output[0]).toMatch(/^6\n\[Files changed: .*\/outputs\/total\.json \(22 bytes\)/)
    expect(output[1]).toMatch(/Cannot find module|ERR_MODULE_NOT_FOUND/)
    expect(output[1]).toMatch(/^node: 1\n\{"total":42,"by":"me"\}/)
    // Which limit a bare loop reaches first depends on the machine.
    expect(output[2]).toMatch(/(?:Stopped after 2 s, its time|node was stopped after too many steps)/)
    expect(Object.keys(await tree(thread)).toSorted()).toEqual(['outputs/total.json', 'workspace/sum.mjs'])
  })

  it('can read the files of a skill that it names, and cannot write them', async () => {
    const lines = [
      'cat /mnt/skills/public/api-design/SKILL.md | head -n 2; echo x > /mnt/skills/public/api-design/SKILL.md',
      "python3 -c \"open('/mnt/skills/public/api-design/x', 'w')\"",
    ]
    const thread = running(lines)
    const { output } = await commands(thread, ...lines)
    expect(output[0]).toContain('name: api-design')
    expect(output[0]).toContain('Read-only')
    expect(output[1]).toContain('Read-only file system')
    expect(await tree(thread)).toEqual({})
  })

  it('has the common commands of a shell, and says which are missing', async () => {
    const lines = [
      'echo hello | gzip | gunzip; echo -n x | sha256sum | cut -c1-8; tar -czf a.tgz /mnt/skills/public/api-design && tar -tzf a.tgz | head -n 1; rm a.tgz',
      'git status; node -e "1"; curl https://example.com',
      INSTEAD,
    ]
    const { output } = await commands(running(lines), ...lines)
    expect(output[0]).toMatch(/^hello\n2d711642\n\/?mnt\/skills\/public\/api-design/)
    expect(output[1]).toContain('git: command not found')
    expect(output[1]).toContain('no network')
    expect(output[2]).toBe(INSTEAD_PRINTS)
  })

  it('writes long output to a file', async () => {
    const lines = ['seq 1 20000']
    const { output } = await commands(running(lines), ...lines)
    expect(output[0]).toContain('characters left out here')
  })

  it('that is cancelled changes nothing, and the thread has a shell again', async () => {
    const model = new ScriptedModel((request) => {
      if (answersSince(request) > 0) return DONE
      const again = JSON.stringify(request.messages).includes('Again.')
      const command = again ? 'echo again; ls' : 'echo 1 > a; python3 -c "while True: pass"'
      return { content: [use(again ? 't2' : 't1', 'bash', { command })] }
    })
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start('Go.')
    await eventually(
      () =>
        thread.sql((sql) => sql.exec("SELECT 1 FROM tool_calls WHERE state = 'started'").toArray().length),
      (begun) => begun > 0,
    )
    value(await thread.api.cancel(thread.caller, run_id))
    expect(await thread.ended(run_id)).toMatchObject({ status: 'cancelled' })
    await thread.ended((await thread.start('Again.')).run_id)
    const last = (await thread.messages())
      .flatMap(({ content }) => content)
      .findLast(({ type }) => type === 'tool_result')
    expect(last).toMatchObject({ content: 'again', is_error: false })
    expect(await tree(thread)).toEqual({})
  })
})
