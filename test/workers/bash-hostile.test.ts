// Guards the limits of the shell: a script that never ends, grows without end or reaches outside is stopped by the
// corresponding limit and keeps nothing, and a job sees nothing of an earlier one.

import { describe, expect, it } from 'vitest'

import { freshShell, runIn, sh } from './bash-fixture.ts'

const W = '/mnt/user-data/workspace'
const NONE = new Uint8Array(0)
/** Small enough to be met soon, and one at a time. */
/** Before a command that cannot pause is stopped for that. */
const TIME = { wallMs: 200 }
const STEPS = { steps: 1e6 }
const FILES = { files: 50, fileBytes: 200_000 }
const OUTPUT = { outputBytes: 10_000 }

describe('stopped by', () => {
  it.each([
    ['time', TIME, 'while true; do :; done'],
    ['time', TIME, 'for ((;;)); do x=$((x+1)); done'],
    ['time', TIME, 'sleep 100'],
    ['time', TIME, 'sleep 100 | cat; echo no'],
    ['time', TIME, "awk 'BEGIN{while(1){}}'"],
    ['time', TIME, 'trap "while :; do :; done" EXIT; exit 0'],
    ['time', TIME, 'for i in 1 2 3; do (while :; do :; done) & done; wait'],
    ['memory', {}, 'while :; do (while :; do :; done) & done'],
    ['time', TIME, "echo a | sed ':a;s/b/c/;ba'"],
    ['time', TIME, "jq -n 'def f: f; f'"],
    ['time', TIME, 'while :; do timeout 100 sleep 100; done'],
    ['time', TIME, 'while :; do cat /mnt/none 2>/dev/null; done'],
    ['time', TIME, 'find / -exec find / \\; > /dev/null; while :; do find /; done > /dev/null'],
    ['steps', STEPS, 'while true; do :; done'],
    ['steps', STEPS, "awk 'BEGIN{while(1){}}'"],
    ['steps', STEPS, "echo a | sed ':a;s/b/c/;ba'"],
    ['steps', STEPS, "jq -n '[limit(1e9;repeat(1))]|length'"],
    ['steps', STEPS, 'x=$(printf "%05000d" 0); while :; do [[ $x == *0*0*0*0*0*0*0*0*1 ]]; done'],
    ['steps', STEPS, 'mapfile -t a < <(seq 1 900000); echo ${#a[@]}'],
    ['steps', STEPS, 'seq 1 1000000000 > /dev/null'],
    ['memory', {}, 'f(){ f; }; f'],
    ['memory', {}, ':(){ :|:& };:'],
    ['memory', {}, 'e(){ eval "e"; }; e'],
    ['memory', {}, 'echo "source /tmp/s" > /tmp/s; source /tmp/s'],
    ['memory', {}, 'echo ./s > s; chmod +x s; ./s'],
    ['memory', {}, 'echo "find . -name s -exec ./s \\;" > s; chmod +x s; ./s'],
    ['memory', {}, 'echo "echo x | xargs ./s" > s; chmod +x s; ./s'],
    ['memory', {}, 'echo \'eval "$(cat s)"\' > s; . ./s'],
    ['memory', {}, 'e="eval \\$e"; eval "$e"'],
    ['memory', {}, 'f() { echo "$(f | f)"; }; f'],
    ['time', TIME, "echo 'while :; do [ $1 -lt 80 ] && ./s $(($1+1)); done' > s; chmod +x s; ./s 1"],
    ['memory', {}, 'echo "bash /tmp/s" > /tmp/s; bash /tmp/s'],
    ['memory', {}, 'a=x; while :; do a=$a$a; done'],
    ['memory', {}, 'echo {1..100000000} | wc -w'],
    ['memory', {}, 'printf "%01000000000d" 1'],
    ['output', OUTPUT, 'seq 1 100000'],
    ['output', OUTPUT, 'echo a; while :; do printf "%0100000d" 1; done'],
    ['output', OUTPUT, 'printf "%020000d" 1 >&2'],
    ['files', FILES, 'for i in $(seq 1 100000); do echo > /tmp/f$i; done'],
    ['files', FILES, 'for i in $(seq 1 100000); do : > f$i; done'],
    ['files', FILES, 'mkdir -p a/{1..100}'],
    ['files', FILES, 'while :; do printf "%010000d" 1 >> big; done'],
    ['files', FILES, 'echo aaaaaaaa > d; while :; do cat d d > e; mv e d; done'],
    ['files', FILES, 'echo x > a; while :; do cp -r . /tmp/$((i++)); done'],
  ])('%s %j: %s', async (stopped, limits, script) => {
    const reported = await sh(`echo kept > kept; ${script}`, { limits })
    expect(reported).toMatchObject({ stopped, spent: true, changes: {} })
    expect(reported.err).toContain('bash: stopped: ')
    expect(reported.exitCode).toBe(stopped === 'time' ? 124 : 137)
  })

  it('a memory limit for jq that grows without end', async () => {
    for (const filter of [
      '[range(1e12)]|length',
      'def f: 1+f; f',
      'reduce range(99999) as $i (0;[.])|tojson',
    ])
      expect(await sh(`echo kept > kept; jq -n '${filter}'`)).toMatchObject({
        stopped: 'refused',
        exitCode: 2,
        changes: {},
      })
  })

  it('nothing when a script calls itself for each folder of a tree', async () => {
    const down =
      'echo \'[ $1 = 0 ] || { ./s $(($1-1)); eval "echo $1"; }\' > s; chmod +x s; ./s 40 | tail -n 1'
    expect(await sh(down)).toMatchObject({ stopped: null, out: '40\n' })
  })

  it('a memory limit for text in awk that grows without end', async () => {
    const reported = await sh('echo kept > kept; awk \'BEGIN{s="x";while(1)s=s s}\'')
    expect(reported).toMatchObject({ stopped: 'refused', exitCode: 2, changes: {} })
    expect(reported.err).toContain('is not supported here. Instead: ')
  })

  it('a cancel, at once', async () => {
    const shell = freshShell()
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const exec = async () => {
      begin()
      return { exitCode: 0, stdout: NONE, stderr: NONE, changes: [], stopped: null, steps: 0 }
    }
    const reported = runIn(shell, 'echo begun; node; while :; do :; done', { exec }, 'the-job')
    await begun
    await shell.cancel('another')
    await shell.cancel('the-job')
    expect(await reported).toMatchObject({ stopped: 'cancelled', out: 'begun\n', spent: true })
  })

  it('nothing when two files differ throughout: diff pauses', async () => {
    const reported = await sh(
      "awk 'BEGIN{for(i=0;i<10000;i++)print int(i*7919%30011)}' > /tmp/a; seq 1 10000 > /tmp/b; diff /tmp/a /tmp/b | head -n 1",
    )
    expect(reported).toMatchObject({ stopped: null, exitCode: 0 })
  })

  it('nothing when a pattern would backtrack without end elsewhere', async () => {
    const reported = await sh(
      'x=$(printf "%0200d" 0); echo $x | grep -cE "(0+)+1"; [[ $x =~ (0+)+1 ]]; echo $?; ' +
        'shopt -s extglob; [[ $x == +(+(0))1 ]]; echo $?; awk \'BEGIN{print match("' +
        '0'.repeat(50) +
        '", /(0+)+1/)}\'',
    )
    expect(reported).toMatchObject({ stopped: null, out: '0\n1\n1\n0\n' })
  })
})

describe('out of reach', () => {
  const files = { '/mnt/skills/public/x/SKILL.md': 'skill\n', [`${W}/a`]: '1\n', [`${W}/Case`]: 'c\n' }
  it.each([
    ['echo x > /mnt/skills/public/x/SKILL.md', 'Read-only file system'],
    ['echo x >> /mnt/skills/public/x/new', 'Read-only file system'],
    ['rm -rf /mnt/skills/public/x', 'Read-only file system'],
    ['mv /mnt/skills/public/x /tmp/x', 'Read-only file system'],
    ['cp a /mnt/skills/public/x/', 'Read-only file system'],
    ['mkdir /mnt/skills/public/y', 'Read-only file system'],
    ['chmod 777 /mnt/skills/public/x/SKILL.md', 'Read-only file system'],
    ['tee /mnt/skills/q < a', 'Read-only file system'],
    ['sed -i s/s/t/ /mnt/skills/public/x/SKILL.md', "sed: couldn't open file /mnt/skills"],
    ['ln -s /mnt/skills/public/x /tmp/l; echo x > /tmp/l/SKILL.md', 'Read-only file system'],
    ['cd /tmp; mkdir a; ln -s ../../mnt/skills/public l; cd l/x && echo x > y', 'Read-only file system'],
    ['echo x > ../../skills/public/x/SKILL.md', 'Read-only file system'],
    ['echo x > /mnt/user-data/loose', 'Read-only file system'],
    ['echo x > /etc/passwd', 'Read-only file system'],
    ['echo x > /usr/bin/ls', 'Read-only file system'],
    ['rm -rf /mnt/user-data/uploads /', 'Read-only file system'],
    ['echo x > case', 'differ only in case'],
    [`echo x > $(printf '%0300d' 1)`, 'longer than'],
    [`cat $(printf '%09000d' 1)`, 'File name too long'],
    ["echo x > 'a\\b'", 'backslash'],
    ["echo x > $'a\\x01b'", 'invisible character'],
    ['ln -s /tmp/b /tmp/a; ln -s /tmp/a /tmp/b; cat /tmp/a', 'Too many levels of symbolic links'],
    ['cat < /dev/tcp/127.0.0.1/80', 'No such file or directory'],
    ['exec 3<>/dev/tcp/127.0.0.1/80', 'No such file or directory'],
    ['cat /proc/self/environ', 'No such file or directory'],
    ['js-exec 1', 'command not found'],
  ])('%s', async (script, words) => {
    const reported = await sh(script, { files })
    expect(reported.err).toContain(words)
    expect(reported.changes).toEqual({})
    expect(reported.stopped).toBe(null)
  })

  it('is a link out of the writable folders', async () => {
    const reported = await sh('ln -s /mnt/skills/public/x link; echo x > link/SKILL.md', { files })
    expect(reported.changes).toEqual({})
    expect(reported.err).toContain('Read-only file system')
    expect(reported.err).toContain('these are not stored: link (a link to the folder /mnt/skills/public/x)')
  })

  it('is a path behind a NUL', async () => {
    const reported = await sh(
      "cat $'/mnt/skills/public/x/SKILL.md\\x00.txt'; printf 'a\\0b' > n; wc -c < n",
      {
        files,
      },
    )
    expect(reported.changes).toEqual({ [`${W}/n`]: 'a\0b' })
  })

  it('is a file that the host declares read-only', async () => {
    const reported = await sh('ls -d /proc/[0-9]*; id -u; whoami; hostname; uname -a', { files })
    expect(reported.out).not.toMatch(/root|workerd/)
  })
})

describe('jobs of one isolate', () => {
  it('leave nothing to the next: variables, functions, options, folders, files, traps, aliases, hashes', async () => {
    const shell = freshShell()
    await runIn(
      shell,
      'export X=1; y=2; f(){ :; }; alias q=ls; shopt -s extglob nullglob; set -f -u; cd /tmp; echo s > /tmp/s; ' +
        'trap "echo t" EXIT; hash ls; umask 077; mkdir -p /tmp/bin; echo "echo evil" > /tmp/bin/ls; ' +
        'chmod +x /tmp/bin/ls; PATH=/tmp/bin:$PATH; ls; declare -r R=1; IFS=,; echo x > w',
    )
    const reported = await runIn(
      shell,
      'echo "[${X-}${y-}${R-}]" "$IFS" $-; type f q 2>/dev/null; ls /tmp; ls; pwd; R=2; echo no*; cat /tmp/s',
    )
    const flags = (await runIn(freshShell(), 'echo $-')).out
    expect(reported.out).toBe(`[]  \t\n ${flags}${W}\nno*\n`)
    expect(reported.err).toContain('/tmp/s: No such file or directory')
  })

  it('run one at a time: a second one gets "busy", and a spent isolate takes none', async () => {
    const shell = freshShell()
    const first = runIn(shell, 'sleep 0.5; echo done')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect(runIn(shell, 'echo second')).rejects.toThrow('{"busy":true}')
    expect((await first).out).toBe('done\n')
    expect((await runIn(shell, 'echo third')).out).toBe('third\n')
    expect((await runIn(shell, 'while :; do :; done', { limits: TIME })).stopped).toBe('time')
    await expect(runIn(shell, 'echo fourth')).rejects.toThrow('"spent":true')
    await shell.ping()
  })

  it.each([
    "awk 'BEGIN{while(1)x++}' & sleep 0.05; kill $!; echo done",
    'yes > /dev/null & sleep 0.05; kill $!; echo done',
    "timeout 0.05 awk 'BEGIN{while(1)x++}'; echo done",
    'sleep 600 & kill $!; echo done',
  ])('do not wait for what they stopped: %s', async (script) => {
    const shell = freshShell()
    expect(await runIn(shell, script)).toMatchObject({ out: 'done\n', stopped: null, spent: true })
    await shell.ping()
  })

  it('find their own files only, hundreds in turn', async () => {
    const shell = freshShell()
    for (let turn = 0; turn < 200; turn++) {
      const reported = await runIn(
        shell,
        'cat mine; ls; ls /tmp; echo $V; V=$(cat mine); echo $V > /tmp/left; mv mine yours',
        {
          files: { [`${W}/mine`]: `${turn}\n` },
        },
      )
      expect(reported).toMatchObject({
        out: `${turn}\nmine\n\n`,
        changes: { [`${W}/yours`]: `${turn}\n`, [`${W}/mine`]: null },
      })
    }
  })
})
