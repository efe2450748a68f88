// Guards that the shell features used by skill scripts work in the isolate, over files that are read only when they are
// opened.

import { describe, expect, it } from 'vitest'

import type { GuestHost, GuestResult } from '../../src/sandbox/guest.ts'
import { FILE_COMMANDS } from '../../src/sandbox/bash/command-names.ts'
import { sh } from './bash-fixture.ts'

const W = '/mnt/user-data/workspace'
const OUT = '/mnt/user-data/outputs'
const CSV = 'name,team,n\nana,red,3\nbo,blue,5\ncy,red,4\n'

describe('commands', () => {
  const files = {
    [`${W}/a.csv`]: CSV,
    [`${W}/d/x.json`]: '{"k":[1,2,{"v":"é"}]}',
    [`${W}/d/y.txt`]: 'b\na\nb\n',
  }
  it.each([
    ['grep -c red a.csv', '2\n'],
    ["awk -F, 'NR>1{s[$2]+=$3} END{for(k in s) print k, s[k]}' a.csv | sort", 'blue 5\nred 7\n'],
    ["sed -n 's/^\\(..\\),.*/\\1/p' a.csv", 'bo\ncy\n'],
    ["jq -r '.k[2].v' d/x.json", 'é\n'],
    ['find . -name "*.txt" | sort', './d/y.txt\n'],
    ['find d -type f -print0 | xargs -0 -n1 basename | sort', 'x.json\ny.txt\n'],
    ['sort -t, -k3,3nr a.csv | head -1 | cut -d, -f1', 'bo\n'],
    ['sort d/y.txt | uniq -c | tr -s " " | sed "s/^ //"', '1 a\n2 b\n'],
    ['tail -n +2 a.csv | wc -l | tr -d " "', '3\n'],
    ['printf "%05.2f|%-4s|%x\\n" 3.14159 ab 255', '03.14|ab  |ff\n'],
    ['date -u -d "2026-01-31 + 1 day" +%F', '2026-02-01\n'],
    ['echo a b | tee t1 t2; cat t1 t2', 'a b\na b\na b\n'],
    [
      'gzip -k a.csv && zcat a.csv.gz | cmp - a.csv 2>/dev/null; gunzip -c a.csv.gz | md5sum | cut -c1-4; md5sum < a.csv | cut -c1-4',
      null,
    ],
    [
      'tar -czf t.tgz d && mkdir e && tar -xzf t.tgz -C e && cat e/d/y.txt && tar tf t.tgz | sort',
      'b\na\nb\nd/\nd/x.json\nd/y.txt\n',
    ],
    ['cat <<EOF\n$((6*7)) ${HOME##*/}\nEOF', '42 workspace\n'],
    ["cat <<'EOF'\n$x\nEOF", '$x\n'],
    ['f() { local a=$1; echo "${a^^}"; return 3; }; f hi; echo $?', 'HI\n3\n'],
    ['a=(1 "2 3"); a+=(4); for x in "${a[@]}"; do echo "<$x>"; done; echo ${#a[@]}', '<1>\n<2 3>\n<4>\n3\n'],
    [
      'declare -A m=([x]=1 [y]=2); for k in $(printf "%s\\n" "${!m[@]}" | sort); do echo $k=${m[$k]}; done',
      'x=1\ny=2\n',
    ],
    ['for f in *.csv d/*; do echo $f; done', 'a.csv\nd/x.json\nd/y.txt\n'],
    ['[[ "v1.22.3" =~ ^v([0-9]+)\\.([0-9]+) ]] && echo ${BASH_REMATCH[2]}', '22\n'],
    ['set -euo pipefail; false | true; echo no', ''],
    ['set -u; echo ${nope:-def}; echo ${x?}', 'def\n'],
    ['while IFS=, read -r a b c; do [ "$b" = red ] && echo $a; done < a.csv; true', 'ana\ncy\n'],
    [
      'diff <(seq 3) <(seq 2 4); echo $?; diff <(seq 3) <(printf "1\\n9\\n3\\n")',
      '1d0\n< 1\n3a3\n> 4\n1\n2c2\n< 2\n---\n> 9\n',
    ],
    ['diff -u <(seq 3) <(seq 2 4) | tail -n +3', '@@ -1,3 +1,3 @@\n-1\n 2\n 3\n+4\n'],
    ['ls a.csv d/y.txt; ls d a.csv | wc -l | tr -d " "', 'a.csv\nd/y.txt\n5\n'],
    [
      'head -n -2 d/y.txt; echo "x y" | xargs -I{} echo "<{}>"; seq 3 | xargs -n1 echo',
      'b\n<x y>\n1\n2\n3\n',
    ],
    ['echo 1 > m; echo 2 > n; mv n m; cat m; cp m n; mv m n; ls', '2\na.csv\nd\nn\n'],
    ["awk 'BEGIN{print int(-3.7)}'; echo '[\"a\",null]' | jq -r @csv", '-3\n"a",\n'],
    ['diff <(echo a) <(echo b) >/dev/null; echo $?; cmp <(echo a) <(echo a) && echo same', '1\nsame\n'],
    ['case x.tar.gz in *.zip) echo z;; *.gz) echo g;; esac', 'g\n'],
    [
      'x=path/to/file.txt; echo ${x%.*} ${x##*/} ${x/to/from} ${#x}',
      'path/to/file file.txt path/from/file.txt 16\n',
    ],
    ['command -v git || echo none; command -v jq >/dev/null && echo has', 'none\nhas\n'],
    ['t=$(mktemp -d); trap \'rm -rf "$t"; echo gone\' EXIT; touch $t/x; ls $t; exit 4', 'x\ngone\n'],
    ['for i in {1..20000}; do :; done; echo $i; seq 1 100000 | tail -1', '20000\n100000\n'],
  ])('%s', async (script, out) => {
    const reported = await sh(script, { files })
    expect(reported.stopped).toBe(null)
    if (out !== null) expect(reported.out).toBe(out)
    else expect(new Set(reported.out.trim().split('\n')).size).toBe(1)
  })

  it('have exit codes, standard input and the environment', async () => {
    const reported = await sh('read -r a; echo "$a $X"; cat; exit 7', {
      stdin: 'one\ntwo\n',
      env: { X: 'y z' },
    })
    expect(reported).toMatchObject({ exitCode: 7, out: 'one y z\ntwo\n' })
  })

  it('stream the output of each statement, and return all of it at the end', async () => {
    const reported = await sh('echo one; echo two >&2; sleep 0.2; echo three')
    expect(reported.progress.join('')).toBe('one\ntwo\nthree\n')
    expect(reported.progress.length).toBeGreaterThan(1)
    expect(reported).toMatchObject({ out: 'one\nthree\n', err: 'two\n' })
  })

  it('that do not exist are reported with an alternative', async () => {
    const reported = await sh('curl https://example.com; git status; nosuch; pip install x || echo $?')
    expect(reported.err).toContain(
      'bash: line 1: curl: command not found: not here: this shell has no network',
    )
    expect(reported.err).toContain('git: command not found: not here: there is no repository')
    expect(reported.err).toContain('bash: line 1: nosuch: command not found\n')
    expect(reported.out).toBe('127\n')
  })

  it('are those of our list', async () => {
    const exec = async (): Promise<GuestResult> => result({})
    expect((await sh('ls /usr/bin', { exec })).out.trim().split('\n')).toEqual(FILE_COMMANDS)
  })
})

describe('files', () => {
  it('are listed without being read, and read once when they are opened', async () => {
    const files = { [`${W}/a.txt`]: 'aaa\n', [`${W}/b.txt`]: 'bb\n' }
    const reported = await sh('ls -l; find . -size +0c; stat -c %s b.txt; cat a.txt; wc -c a.txt', { files })
    expect(reported.read).toEqual([`${W}/a.txt`])
    expect(reported.out).toContain('3\naaa\n4 a.txt\n')
  })

  it('are returned as changes: new, modified, removed, renamed', async () => {
    const files = { [`${W}/a`]: '1\n', [`${W}/b`]: '2\n', [`${W}/c`]: '3\n', [`${W}/same`]: 's\n' }
    const reported = await sh(
      `echo x > ${OUT}/n; echo 9 >> a; rm b; mkdir q; mv c q/; cat same > s2; cat s2 > same; touch same; echo t > /tmp/t`,
      { files },
    )
    expect(reported.changes).toEqual({
      [`${OUT}/n`]: 'x\n',
      [`${W}/a`]: '1\n9\n',
      [`${W}/b`]: null,
      [`${W}/c`]: null,
      [`${W}/q/c`]: '3\n',
      [`${W}/s2`]: 's\n',
    })
  })

  it('are renamed even if only the case of a name changes, folders too', async () => {
    const files = { [`${W}/p/IMG.JPG`]: 'x', [`${W}/D/a`]: 'y' }
    const renamed = await sh('mv p/IMG.JPG p/IMG.jpg && mv D d && ls p d; cp p/IMG.jpg p/Img.jpg', { files })
    expect(renamed.out).toBe('d:\na\n\np:\nIMG.jpg\n')
    expect(renamed.err).toContain('differ only in case')
    expect(renamed.changes).toEqual({
      [`${W}/p/IMG.jpg`]: 'x',
      [`${W}/p/IMG.JPG`]: null,
      [`${W}/d/a`]: 'y',
      [`${W}/D/a`]: null,
    })
  })

  it('replace links left by the call, and a sentence names all links', async () => {
    const script =
      'ln -s a.csv l; ln -s a.csv /tmp/t; ln -s nope n; mkdir d; echo 1 > d/x; ln -s d e; cat l e/x; echo b >> l'
    const { out, err, changes } = await sh(script, { files: { [`${W}/a.csv`]: 'a\n' } })
    expect(out).toBe('a\n1\n')
    expect(changes).toEqual({ [`${W}/a.csv`]: 'a\nb\n', [`${W}/l`]: 'a\nb\n', [`${W}/d/x`]: '1\n' })
    expect(err).toBe(
      'bash: links end with the call; these are stored as files: l (a copy of a.csv); these are not stored: n (a link to nothing: nope), e (a link to the folder d).\n',
    )
  })

  it('replace links for programs too, which may not change them; a link to a folder or to nothing stops a program', async () => {
    const seen: string[] = []
    const exec: GuestHost['exec'] = async ({ overlay }) => {
      seen.push(...overlay.map(({ path }) => path))
      const changes = [{ path: `${W}/l`, bytes: new TextEncoder().encode('z') }]
      return {
        exitCode: 0,
        stdout: new Uint8Array(),
        stderr: new Uint8Array(),
        changes,
        stopped: null,
        steps: 0,
      }
    }
    const changed = await sh('echo a > f; ln -s f l; python3; cat f', { exec })
    expect(seen).toEqual([`${W}/f`, `${W}/l`])
    expect(changed.out).toBe('a\n')
    expect(changed.err).toContain(`python3: its changes were discarded: ${W}/l is a link; change its target`)
    const stopped = await sh('mkdir d; ln -s d e; python3; echo on', { exec })
    expect(stopped).toMatchObject({ stopped: 'refused', exitCode: 2, out: '' })
    expect(stopped.err).toContain(`python3 while ${W}/e is a link to a folder or to nothing is not supported`)
    expect(await sh('ln -s nope n; python3; echo on', { exec })).toMatchObject({
      stopped: 'refused',
      out: '',
    })
  })

  it('include what the calling shell has already changed', async () => {
    const overlay = [
      { path: `${W}/new`, bytes: new TextEncoder().encode('n\n') },
      { path: `${W}/a`, bytes: null },
    ]
    const reported = await sh('cat new; ls; echo m >> new', { files: { [`${W}/a`]: '1\n' }, overlay })
    expect(reported).toMatchObject({ out: 'n\nnew\n', changes: { [`${W}/new`]: 'n\nm\n' } })
  })

  it('of a skill run by their path, as their first line says', async () => {
    const skill = '/mnt/skills/public/x/scripts'
    const files = {
      [`${skill}/a.sh`]: '#!/usr/bin/env bash\necho "$0" "$@"\n',
      [`${skill}/b.py`]: '#!/usr/bin/env python3\nprint(1)\n',
    }
    const reported = await sh(`${skill}/a.sh 1 '2 3'; bash ${skill}/a.sh; ${skill}/b.py z`, {
      files,
      exec: async ({ argv }) => result({ stdout: `${argv.join('|')}\n` }),
    })
    expect(reported.out).toBe(`${skill}/a.sh 1 2 3\n${skill}/a.sh\npython3|${skill}/b.py|z\n`)
  })
})

describe('programs', () => {
  it('get arguments, folder, variables, input and files from the shell, and can change files', async () => {
    const reported = await sh(
      `cd /tmp; export V=w; echo in > s; mkdir -p ${OUT}/d; echo pre > ${OUT}/d/p; ` +
        `cat s | python3 x.py "a b" > ${OUT}/z.json && head -c 9 ${OUT}/z.json && cat ${OUT}/made; node -e 1; echo $?`,
      {
        exec: async ({ argv, cwd, env, stdin, overlay }) =>
          result({
            stdout: `${JSON.stringify([argv, cwd, env['V'], new TextDecoder().decode(stdin)])}\n`,
            stderr: argv[0] === 'node' ? 'oh\n' : '',
            exitCode: argv[0] === 'node' ? 5 : 0,
            changes: argv[0] === 'node' ? {} : { [`${OUT}/made`]: `${overlay.length}\n` },
          }),
      },
    )
    expect(reported.out).toContain('[["python3\n')
    expect(reported.out).toContain('3\n')
    expect(reported.out.endsWith('5\n')).toBe(true)
    expect(reported.err).toBe('oh\n')
    expect(reported.changes[`${OUT}/z.json`]).toBe('[["python3","x.py","a b"],"/tmp","w","in\\n"]\n')
    expect(Object.keys(reported.changes).toSorted()).toEqual([`${OUT}/d/p`, `${OUT}/made`, `${OUT}/z.json`])
  })

  it('do not exist when the host has none', async () => {
    const reported = await sh('command -v python3; python3 -c 1')
    expect(reported).toMatchObject({ exitCode: 127, out: '' })
    expect(reported.err).toContain('python3: command not found: not here')
  })

  it('cannot change files below /mnt/skills, and the error says where to write', async () => {
    const files = { '/mnt/skills/public/x/SKILL.md': 'a' }
    const { err } = await sh(
      'cd /mnt/skills/public/x; echo > a; touch b; mkdir c; sed -i s/a/b/ SKILL.md; rm SKILL.md; tee d < SKILL.md',
      { files },
    )
    const lines = err.trim().split('\n')
    expect(lines).toHaveLength(6)
    for (const line of lines)
      expect(line).toMatch(/Read-only file system \(.*: write below \/mnt\/user-data\/workspace or /)
  })

  it('that write to a read-only place change nothing', async () => {
    const reported = await sh('python3 x; echo $?; ls /mnt/skills', {
      exec: async () => result({ changes: { '/mnt/skills/x': 'bad' } }),
    })
    expect(reported).toMatchObject({ out: '1\n', changes: {} })
    expect(reported.err).toContain('its changes were discarded: Read-only file system')
  })
})

function result(some: {
  stdout?: string
  stderr?: string
  exitCode?: number
  changes?: Readonly<Record<string, string>>
}): GuestResult {
  const bytes = (text = ''): Uint8Array => new TextEncoder().encode(text)
  return {
    exitCode: some.exitCode ?? 0,
    stdout: bytes(some.stdout),
    stderr: bytes(some.stderr),
    changes: Object.entries(some.changes ?? {}).map(([path, text]) => ({ path, bytes: bytes(text) })),
    stopped: null,
    steps: 1,
  }
}
