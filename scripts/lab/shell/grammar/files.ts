// Generates calls of commands that change several files: patches, archives and links. Archives have fixed owners and
// times, so that their bytes are the same as on this machine.

import type { Picker } from './pick.ts'

export function filesLine(pick: Picker): string {
  return pick.one([patch, patch, patch, tar, links])(pick)
}

function edits(pick: Picker): string {
  const edit = (): string => {
    const line = pick.number(1, 16)
    return pick.one([
      `${line}d`,
      `${line}s/.*/x${line}/`,
      `${line}a new`,
      `${line}i before`,
      `${line}s/$/ /`,
      `${line},${line + 2}d`,
      `${line}s/$/!/`,
    ])
  }
  return `sed ${pick
    .many(1, 3, edit)
    .map((text) => `-e '${text}'`)
    .join(' ')}`
}

function patch(pick: Picker): string {
  const source = pick.one([
    'seq 16',
    'seq 8 | sed p',
    "printf '%s\\n' a b c a b c a b c a b c",
    'seq 40 55 | tr 5 4',
  ] as const)
  const format = pick.one(['-u', '-c', '-U1', '-C1', '', '-U0'] as const)
  const options = pick.many(0, 2, () =>
    pick.one([
      '-R',
      '-s',
      '-N',
      '-b',
      '-l',
      '-F0',
      '-F3',
      '-f',
      '-t',
      '--dry-run',
      '-r rej',
      '-E',
      '-o out',
      '-z .b',
    ] as const),
  )
  const labels = format === '' ? '' : '--label f --label f'
  const state = pick.one([
    `${source} > f`,
    `${source} | ${edits(pick)} > f`,
    `${source} | ${edits(pick)} > f`,
    'cp g f',
    '> f',
    'rm f',
  ])
  return [
    `${source} | ${edits(pick)} > f`,
    `${source} | ${edits(pick)} > g`,
    `diff ${format} ${labels} f g > p`,
    state,
    `patch ${options.join(' ')} f < p`,
    'echo "end $?"',
    'for x in f* rej out; do [ -f "$x" ] && echo "[$x]" && cat "$x"; done',
  ].join('; ')
}

function tar(pick: Picker): string {
  const owners = pick.one([
    '--owner=0 --group=0',
    '--owner=a:1 --group=b:2',
    '--numeric-owner --owner=7 --group=8',
  ] as const)
  const fixed = `--sort=name --mtime=@${pick.number(0, 2_000_000_000)} ${owners}`
  const names = pick.many(1, 2, () =>
    pick.one(['files', 'files/d', 'words.txt', 'files/a.txt', 'empty.txt'] as const),
  )
  const options = pick.many(0, 2, () =>
    pick.one([
      "--exclude='*.md'",
      '--exclude=d',
      "--transform='s,^files,x,'",
      "--transform='s/[a-c]/_/g'",
      '--no-recursion',
      '-v',
    ] as const),
  )
  const uses = pick.one([
    'tar tf x.tar',
    'tar tvf x.tar',
    "tar tf x.tar --wildcards '*.txt'",
    'mkdir o; tar xf x.tar -C o; find o | sort',
    'tar xOf x.tar',
    'mkdir o; tar xf x.tar -C o --strip-components=1; find o | sort',
    `tar rf x.tar ${fixed} words.txt; tar tvf x.tar`,
  ])
  return `tar cf x.tar ${fixed} ${options.join(' ')} ${names.join(' ')}; echo $?; ${uses}; echo $?`
}

function links(pick: Picker): string {
  const made = pick.one([
    'ln -s words.txt l',
    'ln -s files/a.txt l',
    'ln -s nope l',
    'ln -sf nonl.txt l',
    'ln -sr files/d/e.txt l',
  ] as const)
  const use = (): string =>
    pick.one([
      'cat l',
      'readlink l',
      'wc -c l',
      'echo x >> l',
      'echo y > l',
      'sed -i s/a/b/ l',
      'cp l m; cat m',
      'mv l k; ls -d k',
      '[ -L l ] && echo link',
      '[ -e l ] && echo there',
      'rm l',
      'find . -type l | sort',
      'sort -o l words.txt',
      'tee l < nonl.txt',
      'cp -P l n; readlink n',
      'readlink -f l | sed "s,.*/,,"',
      'ln -sfn files/c.md l',
    ])
  return `{ ${[made, ...pick.many(1, 4, use)].join('; ')}; } 2> /dev/null; echo $?; cat words.txt | head -3; ls`
}
