// Guards that a script means what it means in bash: where `set -e` ends it, how words expand, and which environment a
// program gets. The expected output is that of bash 5.2.

import { expect, it } from 'vitest'

import type { GuestHost } from '../../src/sandbox/guest.ts'
import { sh } from './bash-fixture.ts'

const FAILS = 'f() { false; echo no; }; '

it.each([
  // The exit code of an assignment.
  ['false; x=1; echo $?', '0\n', 0],
  ['set -e; if [[ a == b ]]; then x=1; else x=2; fi; echo $x', '2\n', 0],
  [
    'false; x=$?; echo $x; x=$(exit 3); echo $?; x=$(exit 3)y$(exit 4); echo $?; $(exit 5); echo $?',
    '1\n3\n4\n5\n',
    0,
  ],
  ['set -e; x=$(false); echo no', '', 1],
  // What `set -e` tolerates, and what it does not.
  [`set -e; ${FAILS}f || echo caught`, 'no\n', 0],
  [`set -e; ${FAILS}f && echo yes; echo end`, 'no\nyes\nend\n', 0],
  [`set -e; ${FAILS}! f; echo end`, 'no\nend\n', 0],
  [`set -e; ${FAILS}if f; then echo yes; fi; f; echo never`, 'no\nyes\n', 1],
  ['set -e; f() { [[ -n "" ]] && echo a; }; f; echo never', '', 1],
  ['set -e; ( [[ -n "" ]] && echo a ); echo never', '', 1],
  ['set -e; { [[ -n "" ]] && echo a; }; [ a = b ] && echo q; echo end', 'end\n', 0],
  ['set -e; x=$(false; echo a); echo $x; x=$(set -e; false; echo b); echo never', 'a\n', 1],
  // Defaults for unset parameters.
  ['set -u; echo "${x:-a}" "${1-b}" "${x:+c}"; echo "${x:=d}" "$x"', 'a b \nd d\n', 0],
  // A command in a variable, in an array, or in the arguments.
  ['run() { "$@"; }; run printf "%s|" a "b c"; run; echo $?', 'a|b c|0\n', 0],
  [
    'c=(printf "%s|"); "${c[@]}" a "b c"; c="sort -r"; printf "a\\nb\\n" | $c; d="a b"; "$d"; echo $?',
    'a|b c|b\na\n127\n',
    0,
  ],
  // Inside arithmetic.
  ['x=5; mkdir d; cd d; echo 1 > n; echo $(( $(echo $x) + $(wc -l < n) ))', '6\n', 0],
  [
    'x=08; y=1:30; echo $(( ${x#0} + 1 )) $(( ${y%%:*} * 60 + 10#${y##*:} )) $(( ${#x} + ${z:-3} ))',
    '9 90 5\n',
    0,
  ],
  // Exported variables in front of other commands.
  [
    'export A=1; for c in "timeout 5" env "env B=2" nohup; do $c bash -c "echo \\$A\\$B"; done',
    '1\n1\n12\n1\n',
    0,
  ],
  [
    'export A=1; echo x | xargs -I{} bash -c "echo \\$A"; env -u A bash -c "echo .\\$A"; cd /tmp; env pwd',
    '1\n.\n/tmp\n',
    0,
  ],
  // Loops.
  [
    'for i in 1 2; do [ $i = 2 ] && continue; done; echo $?; f() { for a; do echo "<$a>"; done; }; f "x y" z',
    '0\n<x y>\n<z>\n',
    0,
  ],
  // How bash itself is started.
  [
    'echo \'echo "$0 $1"; false; echo no\' > s.sh; bash -e s.sh a; bash -euo pipefail -c "echo \\$0; false; echo no" n; echo $?',
    's.sh a\nn\n1\n',
    0,
  ],
  [
    'bash -lc "echo login"; echo "echo in \\$1" | bash -s x; sh -e -c "false; echo no"; echo $?',
    'login\nin x\n1\n',
    0,
  ],
  ['set -e; trap "echo failed >&2" ERR; echo on; false; echo never', 'on\n', 1],
  // Spellings.
  ['printf ab | od -An -tx1; umask', ' 61 62\n0022\n', 0],
  [
    'printf "a\\nb\\nc.d\\n" > g; grep -e a -e b g; grep -F -e c.d -e x g; grep -E -ce "a+" -e "d$" g; seq 3 | paste -sd+',
    'a\nb\nc.d\n2\n1+2+3\n',
    0,
  ],
  [String.raw`printf 'a\nb\n' | sed '2i\  two' | sed '$a\end'`, 'a\n  two\nb\nend\n', 0],
  // A range of `sed` with one pattern at both ends, and two that are written alike.
  [String.raw`printf 'x\na\nx\nb\nx\n' | sed -n '/x/,/x/p' | paste -sd,`, 'x,a,x,x\n', 0],
  [
    String.raw`printf 'x\na\nx\nb\n' | sed -n -e '/x/,/x/p' -e '/x/,/x/s/^/-/p' | paste -sd,`,
    'x,-x,a,-a,x,-x\n',
    0,
  ],
  // Labels of `diff`.
  [
    'echo a > p; echo b > q; diff -u --label old -L new p q; diff -q --label=x -Ly p q',
    '--- old\n+++ new\n@@ -1 +1 @@\n-a\n+b\nFiles x and y differ\n',
    1,
  ],
  // A word that looks like an assignment is a plain word anywhere except before a command.
  ['base64 -d <<< dGVzdA==; cat <<< a=; cat <<< {a,b}=; echo x > k=v; cat < k=v', 'testa=\n{a,b}=\nx\n', 0],
  ['for x in a=b c=; do echo $x; done; a=(d=e f= [3]=g=); echo "${a[@]}"', 'a=b\nc=\nd=e f= g=\n', 0],
  ['case a= in b=) echo no;; a=|c) echo yes;; esac; x=$(cat <<< "a="\n); echo $x', 'yes\na=\n', 0],
])('%s', async (script, out, exitCode) => {
  expect(await sh(script)).toMatchObject({ out, exitCode })
})

it('a program gets the exported variables, whatever starts it', async () => {
  const got: unknown[] = []
  const reported = await sh('export A=1; python3 x; timeout 5 python3 x; B=2 python3 x; env B=2 python3 x', {
    exec: async ({ env }) => {
      got.push({ A: env['A'], B: env['B'] })
      const none = new Uint8Array()
      return { exitCode: 0, stdout: none, stderr: none, changes: [], stopped: null, steps: 0 }
    },
  })
  expect(reported.exitCode).toBe(0)
  expect(got).toEqual([{ A: '1' }, { A: '1' }, { A: '1', B: '2' }, { A: '1', B: '2' }])
})

it('a missing command is reported with an alternative, even one that just-bash has in name only', async () => {
  const names =
    'dc pr sdiff ptx pathchk bzip2 xz file zdiff zegrep uuidgen cal xmllint rename parallel pytest yq html-to-markdown pwgen git curl wget az docker npm pip apt sudo ssh'
  const { err } = await sh(`for c in ${names}; do $c; done`)
  const lines = err.trim().split('\n')
  expect(lines).toHaveLength(names.split(' ').length)
  for (const line of lines) expect(line).toMatch(/^bash: line 1: (\S+): command not found: not here: ./)
  expect(err).toMatch(/dc: .*use bc/)
  expect(err).toMatch(/pr: .*column/)
})

const PRINTS = { out: [0xc3, 0xa9, 10], err: 'wärn\n' }
const PRINTS_BYTES = { out: [0xff, 0xc3, 0xa9, 10], err: 'wärn\n' }

it.each([
  ['python3 2>/dev/null; echo on', 'é\non\n'],
  ['python3 2> f; cat f', 'é\nwärn\n'],
  ['echo in > g; node < g 2>/dev/null', 'é\n'],
  ['python3 <<E 2>/dev/null\nin\nE', 'é\n'],
  ['python3 2>&1; { node; } 2>&1 | cat', 'é\nwärn\né\nwärn\n'],
  ['python3 >&2 2>/dev/null; python3 2>&1 >/dev/null', 'wärn\n'],
  ['node &> f; cat f; python3 > f 2>&1; cat f', 'é\nwärn\né\nwärn\n'],
  ['{ python3 >&2; } 2>&1; for i in 1 2; do node; done 2>/dev/null', 'é\nwärn\né\né\n'],
  ['x=$(python3 2>/dev/null); echo "$x"; f() { node; echo ü; }; f 2>/dev/null', 'é\né\nü\n'],
  ['( python3; exit 3 ) 2>/dev/null; echo $?', 'é\n3\n'],
  ['echo é > g; cat g none 2>/dev/null; tee h < g 2>/dev/null | wc -c', 'é\n3\n'],
])('redirections keep non-ASCII output and errors: %s', async (script, out) => {
  const exec = prints(PRINTS)
  expect(await sh(script, { exec })).toMatchObject({ out, exitCode: 0, stopped: null })
})

it('redirections keep bytes that are not text, together with errors', async () => {
  const exec = prints(PRINTS_BYTES)
  const { out } = await sh('python3 &> f; od -An -tx1 f; python3 2>&1 | od -An -tx1', { exec })
  expect(out).toBe(' ff c3 a9 0a 77 c3 a4 72 6e 0a\n'.repeat(2))
})

function prints({ out, err }: { readonly out: readonly number[]; readonly err: string }): GuestHost['exec'] {
  const [stdout, stderr] = [Uint8Array.from(out), new TextEncoder().encode(err)]
  return async () => ({ exitCode: 0, stdout, stderr, changes: [], stopped: null, steps: 0 })
}

it.each([
  ['in front of a pipe', 'printf %500s x | cat > g'],
  ['with its message discarded', 'printf %500s x 2>/dev/null | cat; echo on'],
  ['under a condition', 'if printf %500s x | cat; then echo yes; else echo no; fi'],
])('a command over a limit ends the script, even %s', async (_, script) => {
  const files = { '/mnt/user-data/workspace/f': 'line\n'.repeat(40) }
  const reported = await sh(script, { files, limits: { heapBytes: 1_000, outputBytes: 100 } })
  expect(reported).toMatchObject({ exitCode: 137, stopped: 'memory', out: '' })
  expect(reported.err).toContain('grew too large')
})
