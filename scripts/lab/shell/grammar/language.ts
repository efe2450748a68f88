// Generates scripts that exercise bash's language: expansions, arithmetic, tests, loops, redirections.

import type { Picker } from './pick.ts'

const TEXTS = [
  'abc',
  'a b c',
  '',
  '  x  y ',
  'path/to/file.tar.gz',
  'Héllo Wörld',
  'a*b?c',
  'k=v',
  "it's",
  'x,y,,z',
  '007',
  '-5',
  'AbC',
  'aaa',
  '1:2:3',
  'tab\there',
  String.raw`back\slash`,
] as const
const PATTERNS = [
  'a',
  '*',
  '?',
  '*a',
  'a*',
  '*.*',
  '[a-c]',
  '[!a]',
  '*/',
  '[[:upper:]]',
  '??',
  '*b*',
  'x',
  '.',
] as const
const NAMES = ['x', 'y', 's', 'v'] as const

/** Quotes text for the shell. */
function quoted(text: string): string {
  return /^[\w./:,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function languageLine(pick: Picker): string {
  const makers = [
    parameters,
    fields,
    arithmetic,
    conditions,
    loops,
    arrays,
    printing,
    reading,
    flow,
    quoting,
    patterns,
    redirects,
    functions,
  ] as const
  return pick.many(1, 3, () => pick.one(makers)(pick)).join('; ')
}

function assignment(pick: Picker): string {
  return `${pick.one(NAMES)}=${quoted(pick.one(TEXTS))}`
}

function operation(pick: Picker): string {
  const pattern = pick.one(PATTERNS)
  const trims = ['#', '##', '%', '%%'] as const
  return pick.one([
    () => '',
    () => `${pick.one(trims)}${pattern}`,
    () =>
      `${pick.one(['/', '//', '/#', '/%'] as const)}${pattern}/${pick.one(['', 'Z', '[&]', '<>'] as const)}`,
    () => pick.one(['^', '^^', ',', ',,', '^^[a-c]', '~~'] as const),
    () => `:${pick.number(0, 4)}${pick.chance(0.5) ? `:${pick.number(0, 4)}` : ''}`,
    () => `: -${pick.number(1, 3)}`,
    () =>
      `${pick.one([':-', '-', ':+', '+', ':='] as const)}${pick.one(['d', 'd e', '"q r"', '$y'] as const)}`,
    () => pick.one(['@Q', '@U', '@L', '@u'] as const),
  ])()
}

function parameter(pick: Picker): string {
  const name = pick.one(NAMES)
  return pick.chance(0.15) ? `\${#${name}}` : `\${${name}${operation(pick)}}`
}

function parameters(pick: Picker): string {
  const shown = pick.many(1, 3, () => (pick.chance(0.6) ? `"${parameter(pick)}"` : parameter(pick)))
  return `${pick.many(1, 2, () => assignment(pick)).join('; ')}; printf '<%s>' ${shown.join(' ')}; echo`
}

function fields(pick: Picker): string {
  const separators = pick.one(["' '", ',', "' ,'", ':', "''", "$' \\t\\n'", 'a'])
  return `(IFS=${separators}; ${assignment(pick)}; set -f; for w in $x $s ${pick.one(['"$*"', '"$@"', '$v', '$y'] as const)}; do printf '[%s]' "$w"; done; echo; set -- $x; echo "$# $*")`
}

function expression(pick: Picker, depth: number): string {
  if (depth === 0 || pick.chance(0.3))
    return pick.one([String(pick.number(0, 20)), 'n', 'm', '0x1f', '010', '2#101', '-3'] as const)
  const operator = pick.one([
    '+',
    '-',
    '*',
    '/',
    '%',
    '**',
    '<<',
    '>>',
    '<',
    '<=',
    '==',
    '!=',
    '&',
    '|',
    '^',
    '&&',
    '||',
    ',',
  ] as const)
  return pick.one([
    () => `${expression(pick, depth - 1)} ${operator} ${expression(pick, depth - 1)}`,
    () => `(${expression(pick, depth - 1)})`,
    () => `${pick.one(['-', '!', '~', '+'] as const)} ${expression(pick, depth - 1)}`,
    () => `${expression(pick, depth - 1)} ? ${expression(pick, depth - 1)} : ${expression(pick, depth - 1)}`,
    () => pick.one(['n++', '--m', 'n+=2', 'm*=3', '++n', 'm--', 'n=m'] as const),
  ])()
}

function arithmetic(pick: Picker): string {
  return `n=${pick.number(0, 9)}; m=${pick.number(0, 9)}; (echo $(( ${expression(pick, 3)} )) "$n $m") 2>/dev/null; ((${expression(pick, 2)})) 2>/dev/null; echo $?`
}

function conditions(pick: Picker): string {
  const text = quoted(pick.one(TEXTS))
  const other = quoted(pick.one(TEXTS))
  return `${pick.one([
    () => `[[ ${text} == ${pick.one(PATTERNS)} ]]`,
    () => `[[ ${text} ${pick.one(['<', '>', '!=', '='] as const)} ${other} ]]`,
    () =>
      `[[ ${text} =~ ^${pick.one(['[a-z]+', '(a|b)*', '([0-9]+):', '.?b', '[[:space:]]*', '(.)(.)'] as const)} ]]; echo "\${BASH_REMATCH[@]}"; [[ -n x ]]`,
    () =>
      `[[ ${pick.one(['-z', '-n'] as const)} ${text} ${pick.one(['&&', '||'] as const)} ! ${pick.number(0, 9)} -gt ${pick.number(0, 9)} ]]`,
    () => `[ ${text} ${pick.one(['=', '!='] as const)} ${other} ]`,
    () =>
      `[ ${pick.number(-5, 9)} ${pick.one(['-lt', '-eq', '-ge', '-ne'] as const)} ${pick.number(-5, 9)} ]`,
    () =>
      `case ${text} in ${pick.one(PATTERNS)}) echo one;; ${pick.one(PATTERNS)}|${pick.one(PATTERNS)}) echo two;${pick.one([';', '&', ';&'] as const)} *) echo rest;; esac`,
  ])()}; echo $?`
}

function loops(pick: Picker): string {
  const body = pick.one([
    'echo $i',
    '[ $i = 2 ] && continue; echo $i',
    '((i%2)) || break; echo $i',
    'printf "%s," "$i"',
  ] as const)
  return pick.one([
    () =>
      `for i in ${pick.one(['1 2 3', '{1..4}', '{3..1}', 'a "b c" d', '$(printf "1\\n2\\n3\\n")', '{a,b}{1,2}'] as const)}; do ${body} 2>/dev/null; done; echo`,
    () => `for ((i=${pick.number(0, 3)};i<${pick.number(2, 6)};i++)); do ${body}; done; echo`,
    () => `i=0; while ((i++ < ${pick.number(0, 5)})); do ${body}; done; echo $?`,
    () => `printf '%s\\n' 3 1 2 | while read -r i; do ${body}; done; echo`,
    () => `i=5; until [ $i -le ${pick.number(1, 4)} ]; do i=$((i-1)); ${body}; done; echo`,
  ])()
}

function arrays(pick: Picker): string {
  const index = pick.one(['0', '1', '-1', '@', '*', '2'] as const)
  return pick.one([
    () =>
      `a=(${pick.many(0, 4, () => quoted(pick.one(TEXTS))).join(' ')}); printf '<%s>' "\${a[${index}]${operation(pick)}}"; echo "\${#a[@]} \${!a[@]}"`,
    () =>
      `a=(1 2 3 4 5); a[${pick.number(0, 9)}]=z; unset 'a[${pick.number(0, 4)}]'; echo "\${a[@]:${pick.number(0, 3)}:${pick.number(0, 3)}}" "\${!a[@]}"; a+=(n); echo "\${a[-1]}"`,
    () =>
      `declare -A m=([${pick.one(['k', 'a b', 'z'] as const)}]=${quoted(pick.one(TEXTS))} [q]=2); m[new]=${pick.number(0, 9)}; for k in "\${!m[@]}"; do echo "$k=\${m[$k]}"; done`,
    () =>
      `a=(${pick.many(1, 5, () => String(pick.number(1, 99))).join(' ')}); s=0; for i in "\${a[@]}"; do ((s+=i)); done; echo $s "\${a[*]/#/n}"`,
    () => `declare -a b=(x y); declare -p b; declare -i c=${pick.number(1, 5)}*2; c+=1; declare -p c`,
  ])()
}

function printing(pick: Picker): string {
  const conversion = pick.one([
    '%s',
    '%5s',
    '%-6s|',
    '%.2s',
    '%d',
    '%05d',
    '%x',
    '%o',
    '%+d',
    '%e',
    '%.3f',
    '%g',
    '%8.2f',
    '%q',
    '%b',
    '%c',
    '%%',
    '%10.3e',
  ] as const)
  const values = pick.many(0, 3, () =>
    pick.one([quoted(pick.one(TEXTS)), String(pick.number(-50, 300)), '3.14159', '1e3', '0x1f', "'a\\tb'"]),
  )
  return pick.chance(0.8)
    ? `printf '${conversion}\\n' ${values.join(' ')} 2>/dev/null`
    : `echo ${pick.one(['-n', '-e', '-E', '-ne', ''] as const)} ${values.join(' ')}; echo`
}

function reading(pick: Picker): string {
  const input = pick.one([
    "'a b c'",
    "'  lead and trail  '",
    "'x:y:z'",
    "$'l1\\nl2'",
    "'a\\\\ b c'",
    "''",
    "'1,2,,3'",
  ])
  const options = pick.one(['-r', '', '-ra arr', '-r -d :', '-n 2', '-r'] as const)
  return `${pick.one(['', 'IFS=: ', 'IFS= ', 'IFS=, '] as const)}read ${options} ${options.includes('arr') ? '' : pick.one(['p', 'p q', 'p q r', ''] as const)} <<< ${input}; echo "$?[$p][$q][$r][$REPLY]\${arr[1]}"`
}

function flow(pick: Picker): string {
  const command = (): string =>
    pick.one(['true', 'false', '(exit 3)', 'f', '! true', '[ a = b ]', 'x=$(false)', '{ false; }'] as const)
  const list = pick
    .many(2, 4, command)
    .map((one, index) => (index === 0 ? one : `${pick.one([' && ', ' || ', '; ', ' | '] as const)}${one}`))
    .join('')
  const options = pick.one([
    '',
    'set -e; ',
    'set -o pipefail; ',
    'set -eo pipefail; ',
    "trap 'echo x$?' EXIT; ",
  ] as const)
  return `(${options}f() { ${command().replace(/^f$/, ':')}; ${pick.one(['return 2', 'true', 'echo in'] as const)}; }; ${list}; echo "end $? \${PIPESTATUS[*]}"); echo $?`
}

function quoting(pick: Picker): string {
  const text = pick.one([
    '"a $x b"',
    "'a $x b'",
    "$'a\\tb\\x41'",
    '"a\\"b\\$"',
    'a\\ b',
    '"$(echo "in $x")"',
    '`echo b`',
    '"${x:-"d e"}"',
    '{a,b}"{c,d}"',
    '~+/x',
    '"\\a\\\\b"',
    "$'\\u00e9'",
  ] as const)
  return `${assignment(pick)}; printf '<%s>' ${text} ${pick.one(['$x', '"$x"', '"$x"$y', '$x$y', 'p"$x"s'] as const)}; echo`
}

function patterns(pick: Picker): string {
  return `(cd files && ${pick.one(['', 'shopt -s nullglob; ', 'shopt -s dotglob; ', 'shopt -s globstar; ', 'set -f; ', 'shopt -s nocaseglob; '] as const)}echo ${pick.one(['*', '*.txt', 'a*', '[ab]*', '*/', '**', 'd/*', '?.md', '.*', '*.none', '[!a]*', '*/*', 'A*', '{a,b}.*'] as const)})`
}

function redirects(pick: Picker): string {
  const both = '{ echo out; echo err >&2; }'
  return `${both} ${pick.one(['2>/dev/null', '2>&1', '>/dev/null 2>&1', '2>&1 >/dev/null', '2> e', '&> e', '> e 2>&1', '>> e', '3>&1 1>&2 2>&3', '2>&1 | tr a-z A-Z'] as const)}; cat e 2>/dev/null; cat <<< "h $x"; rm -f e`
}

function functions(pick: Picker): string {
  const body = pick.one([
    'echo "$# $1"',
    'local x=in; echo $x',
    'shift; echo "$@"',
    'return 4',
    'x=set',
    'echo "${@: -1}"',
    'for a; do echo -n "<$a>"; done; echo',
    '(exit 5)',
    'g "$@"',
  ] as const)
  return `g() { echo "g:$*"; }; f() { ${body}; }; ${assignment(pick)}; f ${pick.many(0, 3, () => quoted(pick.one(TEXTS))).join(' ')}; echo "$? $x"`
}
